"""The network behind the default method: what it reads of a page, what it says, what is made of that."""
