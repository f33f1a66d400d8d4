// Asks for the name of a saved request.
import { useId, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { LIMITS } from './kept-request.ts';

export interface NameDialogProps {
  readonly title: string;
  readonly initial: string;
  readonly onName: (name: string) => void;
  readonly onClose: () => void;
}

export function NameDialog({ title, initial, onName, onClose }: NameDialogProps): VNode {
  const [typed, setTyped] = useState(initial);
  const id = useId();
  const name = typed.trim();
  return (
    <Dialog
      title={title}
      width="narrow"
      isOpen
      onClose={onClose}
      footer={
        <Button variant="primary" type="submit" form={id} disabled={name === ''}>
          Save
        </Button>
      }
    >
      <form
        id={id}
        onSubmit={(event) => {
          event.preventDefault();
          if (name !== '') onName(name);
        }}
      >
        <TextField label="Name" value={typed} onValue={setTyped} maxLength={LIMITS.nameLength} />
      </form>
    </Dialog>
  );
}
