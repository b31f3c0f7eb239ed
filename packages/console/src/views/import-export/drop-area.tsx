import { useEffect, useRef, useState } from 'preact/hooks';

/** A file that misses the area must not take the place of the page. */
export const useNoStrayDrops = (): void => {
  useEffect(() => {
    const refuse = (event: DragEvent): void => {
      const { dataTransfer } = event;
      // What the area took is not refused again.
      if (event.defaultPrevented || dataTransfer?.types.includes('Files') !== true) return;
      event.preventDefault();
      dataTransfer.dropEffect = 'none';
    };
    addEventListener('dragover', refuse);
    addEventListener('drop', refuse);
    return () => {
      removeEventListener('dragover', refuse);
      removeEventListener('drop', refuse);
    };
  }, []);
};

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
