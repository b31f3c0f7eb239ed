import { useState } from 'preact/hooks';
import { type Answer, faultAt, type Problem } from '../api/client';
import { Dialog } from './dialog';
import { Form, TextField } from './form';
import { ProblemNotice } from './notice';

interface RenameDialogProps {
  readonly title: string;
  /** The name so far. */
  readonly name: string;
  readonly hint?: string;
  readonly rename: (name: string) => Promise<Answer<unknown>>;
  readonly onRenamed: () => void;
  readonly onClose: () => void;
}

/** Asks for another name. */
export const RenameDialog = ({ title, name, hint, rename, onRenamed, onClose }: RenameDialogProps) => {
  const [typed, setTyped] = useState(name);
  const [problem, setProblem] = useState<Problem>();
  const fault = faultAt(problem, '/name');
  const submit = async (): Promise<void> => {
    const answer = await rename(typed);
    if (!answer.ok) {
      setProblem(answer.problem);
      return;
    }
    onRenamed();
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        onSubmit={() => {
          void submit();
        }}
      >
        <TextField label="Name" hint={hint} value={typed} onInput={setTyped} fault={fault} autoFocus />
        {problem !== undefined && fault === undefined && <ProblemNotice problem={problem} />}
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary">
            Rename
          </button>
        </div>
      </Form>
    </Dialog>
  );
};
