/* Shows the OpenAPI document with Swagger UI, in the colours that the reader prefers. */
const place = document.getElementById('operations');

const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

/** For how long a stream is followed. */
const STREAM_MS = 3_000;

/** What comes of a stream until the signal is aborted, or it ends. */
const textUntil = async (stream, signal) => {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  signal.addEventListener('abort', () => void reader.cancel());
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
  }
};

/** Swagger UI shows an answer when it has ended, which a stream does not: it is shown as far as it has come. */
const fetchForAWhile = async (url, options) => {
  const answer = await fetch(url, options);
  const isStream = (answer.headers.get('content-type') ?? '').startsWith('text/event-stream');
  if (!isStream || answer.body === null) return answer;
  const { status, statusText, headers } = answer;
  return new Response(await textUntil(answer.body, AbortSignal.timeout(STREAM_MS)), {
    status,
    statusText,
    headers,
  });
};

SwaggerUIBundle({
  domNode: place,
  url: new URL(place.dataset.document, document.baseURI).href,
  // A link to an operation opens it.
  deepLinking: true,
  displayRequestDuration: true,
  // Nothing is told to anyone else: by default the document is sent to a validator on the web.
  validatorUrl: null,
  // The key is forgotten with the page.
  persistAuthorization: false,
  defaultModelsExpandDepth: 0,
  requestInterceptor: (request) => ({ ...request, userFetch: fetchForAWhile }),
});
