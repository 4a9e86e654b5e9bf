"""What a public server needs: several processes, metrics, erasing, moving to another database."""
