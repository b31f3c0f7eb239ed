import type { ComponentChildren } from 'preact';
import type { Problem } from '../api/client';

interface NoticeProps {
  readonly kind?: 'danger' | 'success' | 'warning';
  readonly children: ComponentChildren;
}

/** What came of something; said to screen readers when it appears. */
export const Notice = ({ kind, children }: NoticeProps) => (
  <div class={`notice stack tight ${kind ?? ''}`} role={kind === 'danger' ? 'alert' : 'status'}>
    {children}
  </div>
);

interface ProblemNoticeProps {
  readonly problem: Problem;
  readonly onRetry?: () => void;
}

export const ProblemNotice = ({ problem, onRetry }: ProblemNoticeProps) => {
  // The sign-in comes by itself, and says it.
  if (problem.status === 401) return null;
  return (
    <Notice kind="danger">
      <p>
        <strong>{problem.title}</strong>
      </p>
      {problem.detail !== '' && <p>{problem.detail}</p>}
      {problem.errors.length > 0 && (
        <ul class="stack tight">
          {problem.errors.map(({ pointer, detail }) => (
            <li key={`${pointer} ${detail}`}>
              {pointer === '' ? '' : <code>{pointer}</code>} {detail}
            </li>
          ))}
        </ul>
      )}
      {onRetry !== undefined && (
        <div>
          <button type="button" onClick={onRetry}>
            Try again
          </button>
        </div>
      )}
    </Notice>
  );
};

interface EmptyProps {
  readonly title: string;
  readonly children?: ComponentChildren;
}

export const Empty = ({ title, children }: EmptyProps) => (
  <div class="empty">
    <p class="title">{title}</p>
    {children}
  </div>
);

/** Says that something is on its way, without moving what is there; quick answers never show it. */
export const Loading = ({ what }: { readonly what: string }) => (
  <p class="soft loading" role="status">
    Loading {what} …
  </p>
);
