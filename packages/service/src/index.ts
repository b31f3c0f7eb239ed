export { run } from './cli';
