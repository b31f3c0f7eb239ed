import { Name } from '../../ui/text';

interface ProgressProps {
  readonly label: string;
  readonly fileName: string;
  readonly done: number;
  readonly whole: number;
  readonly unit: 'requests' | '%';
}

/** The progress of a task. */
export const Progress = ({ label, fileName, done, whole, unit }: ProgressProps) => {
  const text =
    unit === '%' ? `${String(done)} %` : `${done.toLocaleString()} of ${whole.toLocaleString()} requests`;
  return (
    <div class="stack tight">
      <div class="row apart">
        <p>
          <strong>{label}</strong> <Name>{fileName}</Name>
        </p>
        <p class="soft number">{text}</p>
      </div>
      <progress aria-label={label} aria-valuetext={text} max={whole} value={done} />
    </div>
  );
};
