import { useRef, useState } from 'preact/hooks';
import type { Schemas } from '../../api/client';
import { Dialog } from '../../ui/dialog';
import { Name } from '../../ui/text';

interface IssuedKeyProps {
  readonly issued: Schemas['IssuedApiKey'];
  readonly onClose: () => void;
}

/** Shows a new key, this once: Escape does not close it. */
export const IssuedKey = ({ issued, onClose }: IssuedKeyProps) => {
  const field = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(issued.key);
      setSaid('Copied.');
    } catch {
      // Browsers give no clipboard to pages without HTTPS.
      field.current?.select();
      setSaid('Your browser does not let the page copy. The key is selected: copy it from the keyboard.');
    }
  };
  return (
    <Dialog title="The new key">
      <p>
        Copy the key of <Name>{issued.name}</Name> now. It is shown this once: the service does not keep it.
      </p>
      <div class="key-issued">
        <input
          ref={field}
          readOnly
          type="text"
          aria-label="New API key"
          value={issued.key}
          onFocus={(event) => {
            event.currentTarget.select();
          }}
        />
        <button
          type="button"
          class="primary"
          autoFocus
          onClick={() => {
            void copy();
          }}
        >
          Copy
        </button>
      </div>
      <p class="soft small key-said" role="status">
        {said}
      </p>
      <div class="row end">
        <button type="button" onClick={onClose}>
          I have copied the key
        </button>
      </div>
    </Dialog>
  );
};
