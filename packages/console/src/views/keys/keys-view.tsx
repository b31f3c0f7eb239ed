export const KeysView = () => <h1>API keys</h1>;
