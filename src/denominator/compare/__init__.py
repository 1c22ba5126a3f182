"""Two runs side by side: comparable first, field by field; then pairs, differences and the sentence they allow. Pure."""
