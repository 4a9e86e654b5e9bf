"""What people have played: counts of matches, hands and bids, which add up."""
