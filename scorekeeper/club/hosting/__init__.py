"""What a public server needs: several processes, figures, erasing, moving to another database."""
