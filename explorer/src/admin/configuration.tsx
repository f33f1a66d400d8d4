// The configuration in force, without secrets: what was changed, or every option.
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
      <p class="admin-note">What is in force now. Secrets are not told, only that they are set.</p>
      <div class="admin-filter">
        <TextField
          label="Find an option"
          isLabelHidden
          type="search"
          size="small"
          placeholder="Find an option"
          value={text.value}
          onValue={(value) => (text.value = value)}
        />
        <Checkbox label="Defaults too" isChecked={isWhole.value} onChange={(next) => (isWhole.value = next)} />
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
      {shown.length === 0 ? <p class="admin-note">No option has this in its name.</p> : null}
    </section>
  );
}

function OptionValue({ option: { value, isSecret } }: { readonly option: ShownOption }): VNode {
  if (isSecret) return <Badge>set, not shown</Badge>;
  if (value === undefined || value === '') return <span class="admin-note">not set</span>;
  return <bdi class="admin-option-value">{value}</bdi>;
}
