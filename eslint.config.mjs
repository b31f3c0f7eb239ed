import tseslint from 'typescript-eslint';

/** What would make the domain depend on where and when it runs. */
const impure = {
  'no-restricted-globals': [
    'error',
    ...[
      'process',
      'Date',
      'performance',
      'crypto',
      'fetch',
      'console',
      'Buffer',
      'setTimeout',
      'setInterval',
      'setImmediate',
      'queueMicrotask',
      'require',
    ],
  ],
  'no-restricted-properties': ['error', { object: 'Math', property: 'random' }],
};

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      'node_modules/**',
      'packages/console/{src/api/schema.d.ts,types/**,vite.config.mjs}',
    ],
  },
  {
    files: ['packages/*/src/**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      // A field is left out of an object by naming it beside the rest.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/prefer-readonly-parameter-types': 'off',
      // Index signatures stay visible as such: what may be missing looks so.
      '@typescript-eslint/dot-notation': 'off',
      'no-console': 'error',
      'no-param-reassign': 'error',
      eqeqeq: 'error',
    },
  },
  { files: ['packages/domain/src/**/*.ts'], ignores: ['**/*.test.ts'], rules: impure },
  {
    files: ['packages/*/src/**/*.test.ts', 'packages/{contract-tests,acceptance,faults}/src/**/*.ts'],
    rules: {
      // chai's assertions are expressions.
      '@typescript-eslint/no-unused-expressions': 'off',
    },
  },
);
