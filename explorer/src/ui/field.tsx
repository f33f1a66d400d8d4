// Controlled inputs with a label, a hint and an error. Values are strings and reported as typed.
import { useId } from 'preact/hooks';
import type { ComponentChildren, Ref, VNode } from 'preact';
import { Icon } from './icon.tsx';
import './field.css';

interface FieldLook {
  readonly label: string;
  /** Whether only screen readers get the label. */
  readonly isLabelHidden?: boolean | undefined;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly size?: 'medium' | 'small' | undefined;
  readonly isMono?: boolean | undefined;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

/** Attributes passed to the element. */
interface Native<Element extends HTMLElement> {
  readonly ref?: Ref<Element>;
  readonly disabled?: boolean;
  readonly required?: boolean;
  readonly title?: string;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly onFocus?: (event: FocusEvent) => void;
  readonly onBlur?: (event: FocusEvent) => void;
}

export interface TextFieldProps extends FieldLook, Native<HTMLInputElement> {
  readonly type?: 'text' | 'search' | 'date' | 'time' | 'datetime-local' | 'url';
  readonly placeholder?: string;
  readonly inputMode?: 'text' | 'decimal' | 'numeric' | 'search';
  readonly min?: string;
  readonly max?: string;
  readonly step?: string;
  readonly maxLength?: number;
  readonly readOnly?: boolean;
  /** Id of a <datalist>. */
  readonly list?: string;
}

export interface SelectOption {
  readonly value: string;
  readonly label: string;
  readonly isDisabled?: boolean | undefined;
}

export interface SelectFieldProps extends FieldLook, Native<HTMLSelectElement> {
  readonly options: readonly SelectOption[];
}

export interface TextAreaProps extends FieldLook, Native<HTMLTextAreaElement> {
  readonly rows?: number;
  readonly placeholder?: string;
}

/** Also for dates and times, depending on `type`. */
export function TextField(props: TextFieldProps): VNode {
  const { label, isLabelHidden, hint, error, size, isMono, value, onValue, ...native } = props;
  const id = useId();
  return (
    <Frame {...{ id, label, isLabelHidden, hint, error }}>
      <input
        autocomplete="off"
        spellcheck={false}
        {...native}
        {...described(id, { hint, error })}
        class={inputClass({ size, isMono, error })}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </Frame>
  );
}

/** Hides what is typed. */
export function SecretField({ label, hint, value, onValue }: FieldLook): VNode {
  const id = useId();
  return (
    <Frame {...{ id, label, hint }}>
      <input
        type="password"
        autocomplete="off"
        {...described(id, { hint })}
        class={inputClass({ isMono: true })}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </Frame>
  );
}

/** Numbers stay strings, because PostgreSQL numbers can have more digits than JavaScript ones. */
export function NumberField(props: TextFieldProps): VNode {
  return <TextField inputMode="decimal" {...props} isMono />;
}

export function TextArea(props: TextAreaProps): VNode {
  const { label, isLabelHidden, hint, error, size, isMono, value, onValue, rows = 4, ...native } = props;
  const id = useId();
  return (
    <Frame {...{ id, label, isLabelHidden, hint, error }}>
      <textarea
        spellcheck={false}
        {...native}
        {...described(id, { hint, error })}
        class={`${inputClass({ size, isMono, error })} ui-input-long`}
        {...{ rows, value }}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </Frame>
  );
}

export function SelectField(props: SelectFieldProps): VNode {
  const { label, isLabelHidden, hint, error, size, isMono, value, onValue, options, ...native } = props;
  const id = useId();
  return (
    <Frame {...{ id, label, isLabelHidden, hint, error }}>
      <span class="ui-select">
        <select
          {...native}
          {...described(id, { hint, error })}
          class={inputClass({ size, isMono, error })}
          value={value}
          onChange={(event) => onValue(event.currentTarget.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.isDisabled ?? false}>
              {option.label}
            </option>
          ))}
        </select>
        <Icon name="chevronDown" size={12} />
      </span>
    </Frame>
  );
}

interface FrameProps extends Pick<FieldLook, 'label' | 'isLabelHidden' | 'hint' | 'error'> {
  readonly id: string;
  readonly children: ComponentChildren;
}

function Frame({ id, label, isLabelHidden, hint, error, children }: FrameProps): VNode {
  return (
    <div class="ui-stack ui-gap-2 ui-field">
      <label class={isLabelHidden ? 'ui-unseen' : 'ui-field-label'} for={id}>
        <bdi>{label}</bdi>
      </label>
      {children}
      {error === undefined ? null : (
        <p class="ui-field-error" id={`${id}-note`}>
          {error}
        </p>
      )}
      {hint === undefined || error !== undefined ? null : (
        <p class="ui-field-hint" id={`${id}-note`}>
          {hint}
        </p>
      )}
    </div>
  );
}

function described(id: string, { hint, error }: Pick<FieldLook, 'hint' | 'error'>): Record<string, string | boolean> {
  const note = hint === undefined && error === undefined ? {} : { 'aria-describedby': `${id}-note` };
  return { id, ...note, ...(error === undefined ? {} : { 'aria-invalid': true }) };
}

function inputClass({ size = 'medium', isMono, error }: Pick<FieldLook, 'size' | 'isMono' | 'error'>): string {
  return `ui-input ui-input-${size}${isMono ? ' ui-input-mono' : ''}${error === undefined ? '' : ' ui-input-wrong'}`;
}
