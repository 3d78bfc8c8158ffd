#!/usr/bin/env node
// Loads the bundle that `npm ci` built, and falls back to the sources of the checkout.
import { existsSync } from 'node:fs';
import module from 'node:module';

process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true';

// Node.js 22 and later keep compiled code in the directory for temporary files, so that the second start is faster.
module.enableCompileCache?.();

const bundle = new URL('../dist/nodewright.mjs', import.meta.url);
if (existsSync(bundle)) {
  await import(bundle.href);
} else {
  const { register } = await import('tsx/esm/api');
  register();
  await import(new URL('../src/main.ts', import.meta.url).href);
}
