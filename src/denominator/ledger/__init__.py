"""From events to rows, what is wrong with the rows, and which of them count."""
