/** Why a price is what it is: asked with a quantity, properties and a time, answered step by step. */
import { useId } from 'preact/hooks';
import type { Problem, Schemas } from '../../api/client';
import { instantOf } from '../../ui/instant';
import { Loading, Notice, ProblemNotice } from '../../ui/notice';
import { amountText, Name, Time } from '../../ui/text';
import type { Load } from '../../ui/use-load';
import { Ask } from './ask';
import { type AskedProperty, missingFor } from './properties';
import { type AskedPrice, noQuestion, type Question } from './question';
import { Waterfall } from './waterfall';

interface ExplanationProps {
  readonly load: Load<AskedPrice>;
  readonly properties: readonly AskedProperty[];
  readonly bookNames: ReadonlyMap<string, string>;
  readonly onAsk: (question: Question) => void;
}

interface NoPriceProps {
  readonly problem: Problem;
  /** The property without which there is no price. */
  readonly missing: string | undefined;
}

/** What to do about a price that is not there. */
const NoPrice = ({ problem, missing }: NoPriceProps) => (
  <Notice kind="warning">
    {missing === undefined ? (
      <>
        <p>
          <strong>There is no price for this</strong>
        </p>
        <p>{problem.detail}</p>
        <p>Try another value, another time or another currency.</p>
      </>
    ) : (
      <>
        <p>
          <strong>
            The price depends on <Name>{missing}</Name>
          </strong>
        </p>
        <p>
          Enter a value for <Name>{missing}</Name> above, then choose Explain.
        </p>
      </>
    )}
  </Notice>
);

interface AnsweredProps {
  readonly question: Question;
  readonly price: Schemas['ProductPrice'];
}

const Answered = ({ question, price }: AnsweredProps) => {
  const at = instantOf(question.at);
  const named = Object.entries(question.properties).filter(([, value]) => value !== '');
  return (
    <p role="status">
      <strong class="number">{amountText(price.price, price.currency)}</strong>{' '}
      <span class="soft">
        {at === undefined ? 'now' : <Time at={at} />}
        {question.quantity !== '' && `, quantity ${question.quantity}`}
        {named.map(([name, value]) => (
          <>
            , <Name>{name}</Name> <Name>{value}</Name>
          </>
        ))}
      </span>
    </p>
  );
};

const isNoPrice = ({ status }: Problem): boolean => status === 400 || status === 404;

export const Explanation = ({
  load: { data, problem: refused, isLoading, reload },
  properties,
  bookNames,
  onAsk,
}: ExplanationProps) => {
  const id = useId();
  const explained = data?.explained;
  const problem = refused ?? (explained?.ok === false ? explained.problem : undefined);
  const question = data?.question ?? noQuestion;
  const missing = missingFor(problem, question, properties);
  return (
    <section aria-labelledby={id} class="stack explanation">
      <h2 id={id}>Explanation</h2>
      <Ask properties={properties} missing={missing} onAsk={onAsk} />
      {problem !== undefined &&
        (isNoPrice(problem) ? (
          <NoPrice problem={problem} missing={missing} />
        ) : (
          <ProblemNotice problem={problem} onRetry={reload} />
        ))}
      {problem === undefined && explained === undefined && <Loading what="the explanation" />}
      {problem === undefined && explained?.ok === true && (
        <div class={`stack ${isLoading ? 'stale' : ''}`} aria-busy={isLoading}>
          <Answered question={question} price={explained.data} />
          <Waterfall price={explained.data} bookNames={bookNames} />
        </div>
      )}
    </section>
  );
};
