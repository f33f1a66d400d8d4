// Shows the effective configuration without secrets: only changed options, or all.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { ShownOption } from '../../../src/contract/status-document.ts';
import { TextField } from '../ui/field.tsx';
import { Badge, Name } from '../ui/text.tsx';
import { Checkbox } from '../ui/toggle.tsx';

export function Configuration({ options }: { readonly options: readonly ShownOption[] }): VNode {
  const text = useSignal('');
  const isWhole = useSignal(false);
  const wanted = text.value.trim().toLowerCase();
  const shown = options.filter(
    ({ name, isDefault }) => name.toLowerCase().includes(wanted) && (isWhole.value || wanted !== '' || !isDefault),
  );
  return (
    <section class="admin-section">
      <h2>Configuration</h2>
      <p class="admin-note">The effective values. Secrets are shown only as set or not set.</p>
      <div class="ui-row ui-wrap admin-filter">
        <TextField
          label="Find an option"
          isLabelHidden
          type="search"
          size="small"
          placeholder="Find an option"
          value={text.value}
          onValue={(value) => (text.value = value)}
        />
        <Checkbox label="Show defaults" isChecked={isWhole.value} onChange={(next) => (isWhole.value = next)} />
      </div>
      <dl class="admin-options">
        {shown.map((option) => (
          <div key={option.name} class={option.isDefault ? 'admin-option-default' : ''}>
            <dt>
              <Name text={option.name} isMono />
            </dt>
            <dd>
              <OptionValue option={option} />
            </dd>
          </div>
        ))}
      </dl>
      {shown.length === 0 ? <p class="admin-note">No matching options.</p> : null}
    </section>
  );
}

function OptionValue({ option: { value, isSecret } }: { readonly option: ShownOption }): VNode {
  if (isSecret) return <Badge>set, hidden</Badge>;
  if (value === undefined || value === '') return <span class="admin-note">not set</span>;
  return <bdi class="admin-option-value">{value}</bdi>;
}
