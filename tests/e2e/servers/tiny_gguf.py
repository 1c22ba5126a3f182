"""Writes a model of random weights (about 1 MB, Llama shape, one token a character): `tiny_gguf.py OUT`.

It says nothing that means anything; it makes a real server tokenise, generate, count and finish. Run by the python of
the environment `servers`, never by ours.
"""

import sys

import gguf
import numpy as np

WIDTH, HEADS, LAYERS, INNER, CONTEXT = 64, 4, 2, 128, 65_536
TEMPLATE = (
    "{% for m in messages %}<|{{ m['role'] }}|>{{ m['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)


def vocabulary(writer):
    """Every byte, the printable characters, and the three marks; returns how many tokens there are."""
    kind = gguf.TokenType
    rows = [("<unk>", 0.0, kind.UNKNOWN), ("<s>", 0.0, kind.CONTROL), ("</s>", 0.0, kind.CONTROL)]
    rows += [(f"<0x{byte:02X}>", 0.0, kind.BYTE) for byte in range(256)]
    rows += [(chr(char), -2.0, kind.NORMAL) for char in range(33, 127)] + [("\u2581", -1.0, kind.NORMAL)]
    writer.add_tokenizer_model("llama")
    writer.add_token_list([text.encode() for text, _, _ in rows])
    writer.add_token_scores([score for _, score, _ in rows])
    writer.add_token_types([type_ for _, _, type_ in rows])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_add_bos_token(True)
    writer.add_add_space_prefix(False)
    writer.add_chat_template(TEMPLATE)
    return len(rows)


def weights(writer, tokens):
    """The tensors, drawn from one seed."""
    draw = np.random.default_rng(11)

    def add(name, *shape, scale=0.08):
        writer.add_tensor(name, draw.normal(0, scale, shape).astype(np.float32))

    add("token_embd.weight", tokens, WIDTH, scale=0.5)
    writer.add_tensor("output_norm.weight", np.ones(WIDTH, np.float32))
    add("output.weight", tokens, WIDTH, scale=0.3)
    for layer in range(LAYERS):
        for norm in ("attn_norm", "ffn_norm"):
            writer.add_tensor(f"blk.{layer}.{norm}.weight", np.ones(WIDTH, np.float32))
        for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
            add(f"blk.{layer}.{part}.weight", WIDTH, WIDTH)
        add(f"blk.{layer}.ffn_gate.weight", INNER, WIDTH)
        add(f"blk.{layer}.ffn_up.weight", INNER, WIDTH)
        add(f"blk.{layer}.ffn_down.weight", WIDTH, INNER)


def main():
    """The whole file."""
    writer = gguf.GGUFWriter(sys.argv[1], "llama")
    writer.add_name("tiny-random")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    tokens = vocabulary(writer)
    writer.add_vocab_size(tokens)
    weights(writer, tokens)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    main()
