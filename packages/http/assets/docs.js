/* Shows the OpenAPI document with Swagger UI, in the colours that the reader prefers. */
const place = document.getElementById('operations');

const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

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
});
