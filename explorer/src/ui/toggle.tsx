// A checkbox with a label.
import type { ComponentChildren, VNode } from 'preact';
import './toggle.css';

export interface ToggleProps {
  readonly label: ComponentChildren;
  readonly isLabelHidden?: boolean | undefined;
  readonly isChecked: boolean;
  /** Indeterminate: only some of the represented items are selected. */
  readonly isMixed?: boolean | undefined;
  readonly isDisabled?: boolean | undefined;
  readonly title?: string | undefined;
  readonly onChange: (isChecked: boolean) => void;
}

export function Checkbox(props: ToggleProps): VNode {
  return (
    <label class="ui-toggle" title={props.title ?? ''}>
      <input
        type="checkbox"
        class="ui-checkbox"
        checked={props.isChecked}
        indeterminate={props.isMixed ?? false}
        disabled={props.isDisabled ?? false}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <ToggleLabel {...props} />
    </label>
  );
}

function ToggleLabel({ label, isLabelHidden }: ToggleProps): VNode {
  return <span class={isLabelHidden ? 'ui-unseen' : 'ui-toggle-label'}>{label}</span>;
}
