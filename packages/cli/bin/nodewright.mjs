#!/usr/bin/env node
// Loads the bundle that `npm ci` built, and falls back to the sources of the checkout.
import { existsSync } from 'node:fs';
import module from 'node:module';
import v8 from 'node:v8';

process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true';

// V8 optimizes what has run for a while, on other threads. For a command that ends within seconds this was a third of
// its processor time and came too late; what runs six times as long (the default is 67584) is worth it. Later versions
// choose by themselves: their V8 does not know the flag and would say so on stderr.
if (process.versions.node.startsWith('20.')) v8.setFlagsFromString('--interrupt-budget=400000');

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
