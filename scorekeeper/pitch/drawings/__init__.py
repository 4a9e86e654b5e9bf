"""Charts, races, strips and markers as shapes, for pages and for paper."""
