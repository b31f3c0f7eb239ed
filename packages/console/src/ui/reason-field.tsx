import { MAX_REASON } from '../api/change-reason';
import { TextField } from './form';

interface ReasonFieldProps {
  readonly value: string;
  readonly onInput: (reason: string) => void;
}

export const ReasonField = ({ value, onInput }: ReasonFieldProps) => (
  <TextField
    label="Reason"
    hint="Optional. It is shown in the history and in explanations, for good."
    maxLength={MAX_REASON}
    value={value}
    onInput={onInput}
  />
);
