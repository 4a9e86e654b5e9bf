"""From a match to the words of a page: each module fills one context, and nothing here asks for a request."""
