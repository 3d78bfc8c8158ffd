import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { aPoolWithoutFindings, lintSettingOfTest } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { lintManifests } from './lint-manifests.ts';
import { lintRules } from './lint-rules.ts';

describe('the rules', () => {
  test('a pool without a defect has no findings', () => {
    expect(lintManifests([aPoolWithoutFindings()], lintSettingOfTest)).toEqual([]);
  });

  test('docs/lint.md lists every rule with its severity and what it finds', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/lint.md'), 'utf8');
    const listed = [...page.matchAll(/^- `([a-z-]+)` \((\w+)\): (.+(?:\n {2}.+)*)$/gm)].map(
      ([, name, severity, about]) => ({
        name,
        severity,
        about: about?.replaceAll(/\n {2}/g, ' '),
      }),
    );
    expect(listed).toEqual(lintRules.map(({ name, severity, about }) => ({ name, severity, about })));
  });
});
