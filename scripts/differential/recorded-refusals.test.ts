import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listCauses } from './compare.ts';
import { installedDefinitions, listTestedKinds } from './kinds.ts';
import { playAlone, installDefinitions } from './play.ts';
import { readRefusals, recordedName } from './recorded-refusals.ts';
import { openEmbeddedServer } from './servers.ts';
import { listFaultSteps } from './walk-members.ts';

const recorded = readRefusals(join(import.meta.dirname, 'testdata/refusals-1.36.3.generated.json'));
const server = openEmbeddedServer('1.36');
await installDefinitions(server, installedDefinitions());

test.each(listTestedKinds().filter((kind) => recorded.has(recordedName(kind))))(
  'a $kind of $apiVersion is refused for what a real server refused it',
  async (kind) => {
    const refusals = recorded.get(recordedName(kind)) ?? [];
    const seed = `x${recordedName(kind)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '')}q`;
    const [, ...answers] = await playAlone(server, listFaultSteps(kind, refusals), seed);
    const told = answers.map((answer, nth) => ({ ...refusals[nth], causes: listCauses(answer) ?? answer.status }));
    expect(told).toEqual(refusals);
  },
);
