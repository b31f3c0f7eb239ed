import { useRef, useState } from 'preact/hooks';

interface DropAreaProps {
  readonly onFile: (file: File) => void;
}

/** Takes a file that is dropped on it, or chosen by its button. */
export const DropArea = ({ onFile }: DropAreaProps) => {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  return (
    <div
      class={`drop-area ${isOver ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => {
        setOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const file = event.dataTransfer?.files[0];
        if (file !== undefined) onFile(file);
      }}
    >
      <button
        type="button"
        class="primary"
        onClick={() => {
          input.current?.click();
        }}
      >
        Choose a CSV file
      </button>
      <p class="soft">or drop it here. Nothing is sent before you have seen what it changes.</p>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        aria-label="CSV file"
        tabIndex={-1}
        hidden
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          // The same file may be chosen again once it is mended.
          currentTarget.value = '';
          if (file !== undefined) onFile(file);
        }}
      />
    </div>
  );
};
