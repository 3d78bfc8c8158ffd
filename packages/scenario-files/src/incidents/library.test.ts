import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readScenarios } from '../reading/read-scenarios.ts';
import { fitIncident } from './fit-incident.ts';

const library = fileURLToPath(new URL('../../../../examples/incidents', import.meta.url));
const names = readdirSync(library).filter((name) => name.endsWith('.yaml'));

/** Groups keep the family that EKS gives them. */
const isOfGroups = (text: string): boolean => text.includes('group-workload.yaml');

test.each(names)('%s can be read for every kind of team, and speaks of the releases of that team alone', (name) => {
  const text = readFileSync(join(library, name), 'utf8');
  for (const hasPolicy of [false, true]) {
    const team = { hasPolicy, hasMaxAge: false, minor: '1.30' };
    const pin = { family: 'Bottlerocket', version: '1.20.4' } as const;
    for (const followed of [['Bottlerocket'], ['AL2', 'Bottlerocket'], []] as const) {
      const fitted = fitIncident(text, { ...team, images: { followed, pin } });
      if ('notPlayed' in fitted) expect(followed).toEqual([]);
      else {
        expect(readScenarios(name, fitted.text)).toHaveLength(1);
        if (!isOfGroups(text)) expect(fitted.text).not.toMatch(/family: AL2023|al2023@|v20251029|1\.35"/);
      }
    }
  }
});
