"""Arguments of tool calls as one canonical text; the form is the wire's, so that call rows name the same digests."""

from denominator.wire.arguments import arguments_text, plain_json

__all__ = ["arguments_text", "plain_json"]
