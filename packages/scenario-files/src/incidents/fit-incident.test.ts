import { expect, test } from 'vitest';
import { fitIncident } from './fit-incident.ts';
import type { TeamManifests } from './team-manifests.ts';

const teamOf = (changes: Partial<TeamManifests> = {}): TeamManifests => ({
  images: { followed: ['AL2023'] },
  hasPolicy: false,
  hasMaxAge: false,
  minor: '1.34',
  ...changes,
});

const incident = `given: manifests/fleet.yaml
steps:
  - release: { family: AL2023, version: v20300101, behavior: notReady }
  - release: { family: AL2023, version: v20300102 }
cases:
  - name: without a policy
    steps:
      - expect: instances.filter(i, i.release == "v20300101").size() >= 10
  - name: with the preset standard
    steps:
      - expect: nodes.all(n, n.release != "v20300102")
      - expect: rollouts.exists(r, r.halted == "FailureBudgetExceeded")
`;

test('releases are those of the family that the nodes follow; halts of a policy of the library do not count', () => {
  expect(fitIncident(incident, teamOf({ images: { followed: ['Bottlerocket'] } }))).toEqual({
    text: `given: manifests/fleet.yaml
steps:
  - release: { family: Bottlerocket, version: 9.99.0, behavior: notReady }
  - release: { family: Bottlerocket, version: 9.99.1 }
cases:
  - name: as your manifests are
    steps:
      - expect: instances.filter(i, i.release == "9.99.0").size() >= 10
  - name: with the preset standard
    steps:
      - expect: nodes.all(n, n.release != "9.99.1")
      # left out
`,
  });
});

test('two families have a release each, and either one counts', () => {
  const fitted = fitIncident(incident, teamOf({ images: { followed: ['AL2023', 'Bottlerocket'] }, hasPolicy: true }));
  expect(fitted).toEqual({ text: expect.stringContaining('(i.release in ["v20300101", "9.99.0"])).size() >= 10') });
  expect(fitted).toEqual({ text: expect.stringContaining('!(n.release in ["v20300102", "9.99.1"])') });
  expect(fitted).toEqual({ text: expect.stringContaining('name: with your policies') });
  expect(fitted).toEqual({
    text: expect.stringContaining(
      'version: v20300101, behavior: notReady }\n  - release: { family: Bottlerocket, version: 9.99.0, behavior: notReady }',
    ),
  });
});

test('pins take the place of the pin of the library, and are wanted by incidents about pins alone', () => {
  const pinned = `given: manifests/pinned-fleet.yaml
steps:
  - deprecate: { family: AL2023, version: v20251029 }
  - upgrade: { controlPlane: "1.35" }
`;
  const images = { followed: [], pin: { family: 'Bottlerocket', version: '1.20.4' } } as const;
  expect(fitIncident(pinned, teamOf({ images, minor: '1.30' }))).toEqual({
    text: `given: manifests/pinned-fleet.yaml
steps:
  - deprecate: { family: Bottlerocket, version: 1.20.4 }
  - upgrade: { controlPlane: "1.31" }
`,
  });
  expect(fitIncident(pinned, teamOf())).toEqual({
    notPlayed: 'it is about pinned releases, and no EC2NodeClass of yours pins one',
  });
  expect(fitIncident(incident, teamOf({ images }))).toEqual({
    notPlayed: 'it is about a new release that nodes follow, and your EC2NodeClasses pin theirs',
  });
});

test('expiry says nothing about a team whose policy replaces nodes before', () => {
  expect(fitIncident('given: manifests/expiring-fleet.yaml\n', teamOf({ hasMaxAge: true }))).toHaveProperty(
    'notPlayed',
  );
  expect(fitIncident('given: manifests/expiring-fleet.yaml\n', teamOf())).toHaveProperty('text');
});
