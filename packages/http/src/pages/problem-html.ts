/** What stands on the pages of problems. Titles, statuses and answers are those of the table of problems. */
import { STATUS_CODES } from 'node:http';
import type { ApiError } from '../api-error';
import { problemOf } from '../problem';
import { PROBLEM_TEXTS, type ProblemSlug, type ProblemText } from '../problem-texts';
import { escaped, prose } from './html';

const SLUGS = Object.keys(PROBLEM_TEXTS) as readonly ProblemSlug[];

export const isProblem = (slug: string | undefined): slug is ProblemSlug =>
  slug !== undefined && Object.hasOwn(PROBLEM_TEXTS, slug);

const textOf = (slug: ProblemSlug): ProblemText => PROBLEM_TEXTS[slug];
const problemBy = (slug: ProblemSlug) => problemOf(textOf(slug).examples[0]).problem;

export const titleOf = (slug: ProblemSlug): string => problemBy(slug).title;

const statusLine = (status: number): string => `${String(status)} ${STATUS_CODES[status] ?? ''}`.trim();

/** As it is sent, but for the headers that every answer has. */
const answerTo = (error: ApiError): string => {
  const { problem, headers } = problemOf(error);
  const fields = Object.entries({ ...headers, 'Content-Type': 'application/problem+json' });
  const body = { ...problem, requestId: '7893674f-750a-43f3-aea8-a36167380ccb' };
  return [
    `HTTP/1.1 ${statusLine(problem.status)}`,
    ...fields.map(([name, value]) => `${name}: ${value}`),
    '',
    JSON.stringify(body, null, 2),
  ].join('\n');
};

const example = (error: ApiError): string => `<pre><code>${escaped(answerTo(error))}</code></pre>`;

export const problemHtml = (slug: ProblemSlug): string => {
  const { title, status, type } = problemBy(slug);
  const { meaning, whatToDo, examples } = textOf(slug);
  return `<main>
<h1>${escaped(title)}</h1>
<p><strong>${escaped(statusLine(status))}</strong> <code>${escaped(type)}</code></p>
<h2>What it means</h2>
${meaning.map((text) => `<p>${prose(text)}</p>`).join('\n')}
<h2>What to do</h2>
<ul>
${whatToDo.map((text) => `<li>${prose(text)}</li>`).join('\n')}
</ul>
<h2>${examples.length === 1 ? 'An answer with it' : 'Answers with it'}</h2>
${examples.map(example).join('\n')}
</main>`;
};

const row = (slug: ProblemSlug): string => {
  const { title, status } = problemBy(slug);
  return `<tr><td>${String(status)}</td><td><a href="${slug}">${escaped(title)}</a></td><td><code>${slug}</code></td></tr>`;
};

export const problemsHtml = (): string => {
  const inOrder = [...SLUGS].sort((one, other) => problemBy(one).status - problemBy(other).status);
  return `<main>
<h1>Problems</h1>
<p>What an answer can be that is not a success. The field <code>type</code> of such an answer names the problem, and is the path of its page in this service. A proxy that serves the service below a path of its own has the page below that path; <code>type</code> is the same everywhere.</p>
<table>
<thead><tr><th scope="col">Status</th><th scope="col">Problem</th><th scope="col">Name</th></tr></thead>
<tbody>
${inOrder.map(row).join('\n')}
</tbody>
</table>
</main>`;
};
