import type { Pod } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { planEphemeralClaims } from './ephemeral-claims.ts';

const pod: Pod = {
  metadata: { name: 'web', namespace: 'default', uid: 'uid-web' },
  spec: {
    containers: [],
    volumes: [
      { name: 'config', persistentVolumeClaim: { claimName: 'config' } },
      {
        name: 'cache',
        ephemeral: {
          volumeClaimTemplate: { metadata: { labels: { tier: 'cache' } }, spec: { storageClassName: 'gp3' } },
        },
      },
      { name: 'scratch', ephemeral: { volumeClaimTemplate: {} } },
    ],
  },
};

for (const { fact, existing, created } of [
  { fact: 'every ephemeral volume gets a claim', existing: ['default/config'], created: ['web-cache', 'web-scratch'] },
  { fact: 'a claim that exists is not created again', existing: ['default/web-cache'], created: ['web-scratch'] },
]) {
  test(fact, () => {
    expect(planEphemeralClaims({ pod, existing }).actions.map(({ metadata }) => metadata.name)).toEqual(created);
  });
}

test('a claim follows its template and is owned by its pod', () => {
  expect(planEphemeralClaims({ pod, existing: [] }).actions[0]).toMatchObject({
    metadata: {
      name: 'web-cache',
      namespace: 'default',
      labels: { tier: 'cache' },
      ownerReferences: [{ kind: 'Pod', name: 'web', uid: 'uid-web', controller: true }],
    },
    spec: { storageClassName: 'gp3' },
  });
});
