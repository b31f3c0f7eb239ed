/** Labelled controls. A fault is said at the control that it is about. */
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { LATEST_LOCAL } from './instant';

interface Labelled {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly fault?: string | undefined;
}

interface Control {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

const Field = ({
  label,
  hint,
  fault,
  children,
}: Labelled & { children: (control: Control) => ComponentChildren }) => {
  const id = useId();
  const said = fault ?? hint;
  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
      </label>
      {children({
        id,
        ...(said !== undefined && { 'aria-describedby': `${id}-said` }),
        ...(fault !== undefined && { 'aria-invalid': true }),
      })}
      {said !== undefined && (
        <p id={`${id}-said`} class={fault === undefined ? 'hint' : 'fault'}>
          {said}
        </p>
      )}
    </div>
  );
};

interface TextFieldProps extends Labelled {
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** How it is entered; plain text where absent. */
  readonly type?: 'password' | 'search' | 'datetime-local';
  readonly inputMode?: 'decimal' | 'numeric';
  readonly autoFocus?: boolean;
  readonly placeholder?: string;
  readonly maxLength?: number;
}

export const TextField = ({ label, hint, fault, onInput, type, ...control }: TextFieldProps) => (
  <Field label={label} hint={hint} fault={fault}>
    {(said) => (
      <input
        autoComplete="off"
        spellcheck={false}
        {...control}
        {...said}
        {...({ type: type ?? 'text' } as { readonly type: 'text' })}
        max={type === 'datetime-local' ? LATEST_LOCAL : undefined}
        onInput={(event) => {
          onInput(event.currentTarget.value);
        }}
      />
    )}
  </Field>
);

interface SelectFieldProps<A extends string> extends Labelled {
  readonly value: A;
  readonly options: readonly (readonly [value: A, label: string])[];
  readonly onChange: (value: A) => void;
  readonly disabled?: boolean;
}

export const SelectField = <A extends string>({
  label,
  hint,
  fault,
  options,
  value,
  onChange,
  disabled = false,
}: SelectFieldProps<A>) => (
  <Field label={label} hint={hint} fault={fault}>
    {(said) => (
      <select
        {...said}
        disabled={disabled}
        value={value}
        onChange={(event) => {
          const chosen = options.find(([one]) => one === event.currentTarget.value);
          if (chosen !== undefined) onChange(chosen[0]);
        }}
      >
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
);

interface CheckboxProps {
  readonly label: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

export const Checkbox = ({ label, isChecked, onChange }: CheckboxProps) => (
  <label class="check">
    <input
      type="checkbox"
      checked={isChecked}
      onChange={(event) => {
        onChange(event.currentTarget.checked);
      }}
    />
    {label}
  </label>
);

interface FormProps {
  readonly onSubmit: () => void;
  readonly children: ComponentChildren;
  readonly label?: string;
}

/** A form that never leaves the page. */
export const Form = ({ onSubmit, children, label }: FormProps) => (
  <form
    class="stack"
    aria-label={label}
    noValidate
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    {children}
  </form>
);
