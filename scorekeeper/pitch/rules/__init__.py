"""What a ruleset is: values, their checks, and the house options that change them."""
