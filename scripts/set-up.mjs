/**
 * Does the set-up that is missing: brings Node 24, installs what the lockfile says, and compiles. Where nothing is
 * missing it only looks at file times. Plain Node, since it runs before anything is installed.
 */
import { compile, isCompiled } from './compile.mjs';
import { root } from './files.mjs';
import { withLock } from './lock.mjs';
import { onNewNode } from './node.mjs';
import { install, isInstalled } from './npm.mjs';

export { root };

/** @param withDeveloperTools as of `install`. */
export const setUp = async ({ withDeveloperTools = false } = {}) => {
  await onNewNode();
  const isReady = () => isInstalled(root, withDeveloperTools);
  if (isReady() && isCompiled()) return;
  withLock(() => {
    if (!isReady()) {
      console.error('Installing what the lockfile says ...');
      install(root, withDeveloperTools);
    }
    if (!isCompiled()) {
      console.error('Building ...');
      compile();
    }
  });
};
