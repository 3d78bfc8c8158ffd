import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { karpenterCustomResources } from '@nodewright/apis';
import { realTime, seededRandom } from '@nodewright/runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiServer, certificateAuthority, kubeconfigText } from '@nodewright/kube-api';
import { listenOn, type Listening, PortTakenError } from './listen.ts';

const run = promisify(execFile);

/** Every kubectl of the machine: the one on the path, and versioned ones beside it. */
const places = (process.env['PATH'] ?? '')
  .split(':')
  .flatMap((folder) => [
    join(folder, 'kubectl'),
    ...[27, 28, 29, 30, 31, 32, 33].map((minor) => join(folder, `kubectl.1.${minor}`)),
  ]);
const kubectls = places.filter((place) => existsSync(place));

const home = mkdtempSync(join(tmpdir(), 'kubectl-'));
const kubeconfig = join(home, 'config');
let listening: Listening;

beforeAll(async () => {
  const now = Date.now();
  const authority = await certificateAuthority({
    notBefore: new Date(now - 3_600_000),
    notAfter: new Date(now + 86_400_000),
  });
  const server = createApiServer({
    clock: realTime().clock,
    random: seededRandom('kubectl'),
    version: '1.29',
    customResources: karpenterCustomResources,
  });
  const tls = await authority.server(['127.0.0.1', 'localhost']);
  listening = await listenOn(server.handle, { port: 0, tls: { ...tls, ca: authority.cert } });
  const client = await authority.client({ commonName: 'admin', organizations: ['system:masters'] });
  writeFileSync(kubeconfig, kubeconfigText({ name: 'test', server: listening.url, ca: authority.cert, client }));
});

afterAll(() => listening.close());

test('a taken port is named in the error', async () => {
  await expect(listenOn(() => Promise.reject(new Error('unused')), { port: listening.port })).rejects.toThrow(
    PortTakenError,
  );
});

const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: inflate }
spec:
  replicas: 2
  selector: { matchLabels: { app: inflate } }
  template:
    metadata: { labels: { app: inflate } }
    spec:
      containers: [{ name: c, image: pause, resources: { requests: { cpu: '1' } } }]
`;

const pool = `
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: default }
spec:
  template:
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: default }
      requirements: [{ key: karpenter.sh/capacity-type, operator: In, values: [spot] }]
`;

const manifest = join(home, 'manifest.yaml');
writeFileSync(manifest, `${deployment}---${pool}`);

describe.skipIf(kubectls.length === 0)('kubectl', () => {
  for (const kubectl of kubectls) {
    test(`${kubectl} applies, reads, scales, patches and deletes`, async () => {
      const options = {
        env: { PATH: process.env['PATH'] ?? '', HOME: mkdtempSync(join(home, 'home-')), KUBECONFIG: kubeconfig },
      };
      const say = async (...words: string[]) => (await run(kubectl, words, options)).stdout.trim();
      const namespace = `n${kubectls.indexOf(kubectl)}`;
      expect(await say('create', 'namespace', namespace)).toBe(`namespace/${namespace} created`);
      expect(await say('-n', namespace, 'apply', '-f', manifest)).toMatch(/^deployment.apps\/inflate created/);
      expect(await say('-n', namespace, 'apply', '-f', manifest)).toMatch(/^deployment.apps\/inflate unchanged/);
      expect(await say('-n', namespace, 'scale', 'deployment', 'inflate', '--replicas=3')).toMatch(/scaled$/);
      expect(await say('-n', namespace, 'get', 'deployments')).toMatch(
        /^NAME +READY +UP-TO-DATE +AVAILABLE +AGE\ninflate +0\/3/,
      );
      expect(await say('-n', namespace, 'describe', 'deployment', 'inflate')).toMatch(/Replicas: +3 desired/);
      expect(await say('get', 'nodepool', 'default', '-o', 'jsonpath={.spec.disruption.consolidationPolicy}')).toBe(
        'WhenEmptyOrUnderutilized',
      );
      expect(await say('explain', 'nodepool.spec.weight')).toMatch(/FIELD: weight <integer>/);
      expect(await say('auth', 'can-i', 'delete', 'nodes')).toBe('yes');
      expect(await say('-n', namespace, 'delete', 'deployment', 'inflate')).toBe('deployment.apps "inflate" deleted');
    });
  }
});
