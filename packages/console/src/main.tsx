import { render } from 'preact';
import { App } from './app';
import './styles/base.css';

const root = document.getElementById('console');
if (root !== null) render(<App />, root);
