# SPDX-FileCopyrightText: 2026 The workbench authors
# SPDX-License-Identifier: Apache-2.0
"""Properties of any configuration: what is written, edited or sent as JSON reads back as the same message."""

import json
import random

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from workbench.config import (
    ModelConfig,
    Outline,
    diff_configs,
    edit_config,
    from_json,
    read_text,
    to_json,
    write_config,
)

RANGES = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}
WORDS = ["", "a", "INPUT0", 'quo"te', "back\\slash", "né", "two\nlines", "tab\t", "#", "'", "\x01", "{", "a.b[0]"]


class Dice:
    """Fills a message at random, from one seed, sparsely enough to stay small."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def fill(self, message: Message, depth: int = 0) -> Message:
        for field in message.DESCRIPTOR.fields:
            excluded = field.containing_oneof and message.WhichOneof(field.containing_oneof.name)
            if self.random.random() < (0.3 if depth == 0 else 0.4) and depth < 5 and not excluded:
                self.fill_field(message, field, depth)
        return message

    def fill_field(self, message: Message, field: FieldDescriptor, depth: int) -> None:
        if field.message_type and field.message_type.GetOptions().map_entry:
            self.fill_map(getattr(message, field.name), field, depth)
        elif field.message_type and field.is_repeated:
            for _ in range(self.random.randint(1, 3)):
                self.fill(getattr(message, field.name).add(), depth + 1)
        elif field.message_type:
            getattr(message, field.name).SetInParent()
            self.fill(getattr(message, field.name), depth + 1)
        elif field.is_repeated:
            getattr(message, field.name).extend(self.scalar(field) for _ in range(self.random.randint(1, 4)))
        else:
            setattr(message, field.name, self.scalar(field))

    def fill_map(self, entries, field: FieldDescriptor, depth: int) -> None:
        fields = field.message_type.fields_by_name
        for _ in range(self.random.randint(1, 3)):
            key = self.scalar(fields["key"])
            if fields["value"].message_type:
                self.fill(entries[key], depth + 1)
            else:
                entries[key] = self.scalar(fields["value"])

    def scalar(self, field: FieldDescriptor):
        if field.enum_type:
            return self.random.choice(field.enum_type.values).number
        if field.cpp_type in RANGES:
            least, most = RANGES[field.cpp_type]
            return self.random.choice([0, 1, 2, 8, least, most, self.random.randint(least, most)])
        if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
            return self.random.random() < 0.5
        if field.cpp_type in (FieldDescriptor.CPPTYPE_FLOAT, FieldDescriptor.CPPTYPE_DOUBLE):
            return self.random.choice([0.0, 0.1, 1e-9, 3.4e38, -1.5, float("inf"), self.random.random()])
        return self.random.choice(WORDS)


configs = st.builds(lambda seed: Dice(seed).fill(ModelConfig()), st.integers(0, 2**32))
# A seed does not shrink; what fails is small enough to read.
seeded = settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow],
)


@seeded
@given(configs)
def test_written_text_reads_back_as_the_same_configuration(config: ModelConfig) -> None:
    assert read_text(write_config(config)) == config


@seeded
@given(configs)
def test_written_text_is_stable(config: ModelConfig) -> None:
    text = write_config(config)
    assert write_config(read_text(text)) == text


@seeded
@given(configs)
def test_json_reads_back_as_the_same_configuration(config: ModelConfig) -> None:
    assert from_json(to_json(config)) == config
    assert from_json(json.loads(to_json(config))) == config


@seeded
@given(configs, configs)
def test_edits_made_from_a_comparison_lead_to_the_other_configuration(before: ModelConfig, after: ModelConfig) -> None:
    changes = diff_configs(before, after)
    removed_last_first = sorted(changes, key=lambda change: change.after is None)
    split = sum(change.after is not None for change in changes)
    ordered = [*removed_last_first[:split], *reversed(removed_last_first[split:])]
    text = edit_config(write_config(before), {change.path: change.after for change in ordered})
    assert diff_configs(read_text(text), after) == ()


@seeded
@given(configs)
def test_a_configuration_does_not_differ_from_its_copy(config: ModelConfig) -> None:
    copy = ModelConfig()
    copy.CopyFrom(config)
    assert diff_configs(config, copy) == ()


@seeded
@given(configs, configs)
def test_every_message_of_a_configuration_is_found_in_its_text(before: ModelConfig, after: ModelConfig) -> None:
    outline = Outline(write_config(after))
    for change in diff_configs(before, after):
        if isinstance(change.after, dict):
            assert outline.find(change.path), change.path
