"""What only a club needs: ladder and money nights, figures, book files, hosting."""
