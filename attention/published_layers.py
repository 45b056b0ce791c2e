"""The layers of published models, as entries of their configuration.

Each model names its source: `config.json` of a checkpoint, or the class of transformers 5.23.0 whose defaults are the
model's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from attention.configuration import strip
from attention.layer_kinds import Strip


@dataclass(frozen=True)
class Published:
    """A model: its name, the entries of its configuration, and their source."""

    name: str
    source: str
    config: Mapping[str, Any]

    @cached_property
    def strip(self) -> Strip:
        return strip(self.config, self.name)


def _heads(layers: int, heads: int, kv_heads: int, d_k: int, **more: Any) -> dict[str, Any]:
    sizes = {"num_hidden_layers": layers, "num_attention_heads": heads, "num_key_value_heads": kv_heads}
    return sizes | {"head_dim": d_k} | more


def _latent(layers: int, heads: int, **more: Any) -> dict[str, Any]:
    """Keys and values from a latent of 512 numbers, beside a rotary key of 64."""
    sizes = {"num_hidden_layers": layers, "num_attention_heads": heads}
    return sizes | {"kv_lora_rank": 512, "qk_rope_head_dim": 64} | more


_GATED = {"linear_num_value_heads": 32, "linear_key_head_dim": 128, "linear_value_head_dim": 128}
_OLMO = {"linear_num_value_heads": 30, "linear_key_head_dim": 96, "linear_value_head_dim": 192}
_DELTA = {"linear_num_heads": 32, "linear_head_dim": 128}
_KIMI = {"full_attn_layers": [4, 8, 12, 16, 20, 24, 27], "num_heads": 32, "head_dim": 128}

PUBLISHED_LAYERS: Sequence[Published] = (
    Published("Llama-3-8B", "Grattafiori et al. 2024, table 3", _heads(32, 32, 8, 128)),
    Published("MiniMax-M2", "MiniMaxM2Config", _heads(62, 48, 8, 128)),
    Published("SmolLM3-3B", "SmolLM3Config", _heads(36, 16, 4, 128, no_rope_layers=[1, 1, 1, 0] * 9)),
    Published(
        "gpt-oss-20b",
        "config.json of openai/gpt-oss-20b",
        _heads(24, 64, 8, 64, sliding_window=128, layer_types=["sliding_attention", "full_attention"] * 12),
    ),
    Published(
        "gpt-oss-120b",
        "GptOssConfig",
        _heads(36, 64, 8, 64, sliding_window=128, layer_types=["sliding_attention", "full_attention"] * 18),
    ),
    Published(
        "Gemma 3 27B",
        "config.json of google/gemma-3-27b-it",
        _heads(62, 32, 16, 128, sliding_window=1024, sliding_window_pattern=6),
    ),
    Published(
        "Gemma 3n E4B",
        "Gemma3nTextConfig",
        _heads(35, 8, 2, 256, sliding_window=512, sliding_window_pattern=5, num_kv_shared_layers=15),
    ),
    Published(
        "Command R7B",
        "config.json of CohereLabs/c4ai-command-r7b-12-2024",
        _heads(32, 32, 8, 128, sliding_window=4096, sliding_window_pattern=4, model_type="cohere2"),
    ),
    Published(
        "Llama 4 Scout",
        "Llama4TextConfig",
        _heads(48, 40, 8, 128, attention_chunk_size=8192, no_rope_layers=[1, 1, 1, 0] * 12),
    ),
    Published(
        "MiMo-V2-Flash",
        "MiMoV2FlashConfig",
        _heads(
            48,
            64,
            4,
            192,
            v_head_dim=128,
            sliding_window=129,
            swa_num_key_value_heads=8,
            hybrid_layer_pattern=[0, 1, 1, 1, 1, 0] + [1, 1, 1, 1, 1, 0] * 7,
        ),
    ),
    Published("DeepSeek-V3.2", "DeepseekV32Config", _latent(61, 128, index_topk=2048, index_head_dim=128)),
    Published(
        "Kimi Linear 48B",
        "config.json of moonshotai/Kimi-Linear-48B-A3B-Instruct",
        _latent(27, 32, model_type="kimi_linear", linear_attn_config=_KIMI),
    ),
    Published("Ling 3.0 Flash", "BailingHybridConfig", _latent(42, 32, layer_group_size=6, **_DELTA)),
    Published("OLMo Hybrid 7B", "OlmoHybridConfig", _heads(32, 30, 30, 128, full_attention_interval=4, **_OLMO)),
    Published("Qwen3.5 9B", "Qwen3_5TextConfig", _heads(32, 16, 4, 256, full_attention_interval=4, **_GATED)),
    Published("Qwen3-Next 80B", "Qwen3NextConfig", _heads(48, 16, 2, 256, full_attention_interval=4, **_GATED)),
    Published(
        "MiniMax-Text-01",
        "config.json of MiniMaxAI/MiniMax-Text-01",
        _heads(80, 64, 8, 128, attn_type_list=[0, 0, 0, 0, 0, 0, 0, 1] * 10),
    ),
)
