#!/usr/bin/env node
await import('../dist/nodewright.mjs');
