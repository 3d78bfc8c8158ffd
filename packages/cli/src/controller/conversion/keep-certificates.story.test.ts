import { X509Certificate } from 'node:crypto';
import { convertedDefinitionNames, days, definitionObjects, secrets } from '@nodewright/apis';
import type { KeyPair } from '@nodewright/kube-api';
import { listInstallManifests, readInstallValues } from '@nodewright/manifests';
import { inProcessTransport, kubernetesClient, silentLogger } from '@nodewright/runtime';
import { anApiServer } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { controllerSettings } from '../../commands/manifests/setting-catalogue.ts';
import { renewCertificates } from './keep-certificates.ts';

const service = { name: 'karpenter-conversion', namespace: 'karpenter' };
const account = {
  clientCertificate: {
    commonName: 'system:serviceaccount:karpenter:karpenter',
    organizations: ['system:serviceaccounts'],
  },
};

/** A cluster with the definitions and roles of an installation, and replicas of the controller with their rights. */
async function anInstallation() {
  const { server, time, send } = anApiServer({ version: '1.36' });
  const { values } = readInstallValues(
    { image: 'a:1', settings: { clusterName: 'prod', conversionWebhookPort: 8443 } },
    controllerSettings,
  );
  const needed = listInstallManifests(values, controllerSettings).filter(
    ({ kind, metadata: { name } }) =>
      kind === 'Namespace' ||
      kind?.includes('Role') === true ||
      (kind === 'CustomResourceDefinition' && convertedDefinitionNames.includes(name)),
  );
  for (const object of needed) {
    const { kind = '', apiVersion = '', metadata } = object;
    const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const place = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
    await send('POST', `${base}${place}/${kind.toLowerCase()}s`, object);
  }
  await time.settle();
  const warnings: string[] = [];
  const log = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
  const client = kubernetesClient({
    transport: inProcessTransport(time.gate, server.handle, { peer: account }),
    gate: time.gate,
    userAgent: 'karpenter',
  });
  const replica = () => {
    const served: KeyPair[] = [];
    const options = { client, log, service, ...time, serve: (pair: KeyPair) => void served.push(pair) };
    return { served, look: () => time.finish(renewCertificates(options)) };
  };
  const bundles = () =>
    time.finish(
      Promise.all(
        convertedDefinitionNames.map(async (name) => {
          const definition = await client.get(definitionObjects, { name });
          return definition?.spec?.conversion?.webhook?.clientConfig?.caBundle ?? '';
        }),
      ),
    );
  return {
    time,
    send,
    client,
    warnings,
    replica,
    /** Of each definition, the authorities that API servers trust. */
    trusted: async () =>
      (await bundles()).map((bundle) => readAuthorities(Buffer.from(bundle, 'base64').toString('utf8'))),
    pass: (span: number) => time.finish(time.clock.sleep(span)),
  };
}

const readAuthorities = (bundle: string): readonly X509Certificate[] =>
  (bundle.match(/-----BEGIN[^-]*-----[^-]*-----END[^-]*-----/g) ?? []).map((pem) => new X509Certificate(pem));

const isTrusted = ({ cert }: KeyPair, authorities: readonly X509Certificate[]): boolean =>
  authorities.some(
    (authority) =>
      new X509Certificate(cert).checkIssued(authority) && new X509Certificate(cert).verify(authority.publicKey),
  );

test('the first look makes certificates and tells every definition whom to trust', async () => {
  const { replica, trusted, warnings } = await anInstallation();
  const { look, served } = replica();
  await look();
  const [pair] = served;
  if (pair === undefined) throw new Error('nothing is served');
  expect((await trusted()).map((authorities) => isTrusted(pair, authorities))).toEqual([true, true, true]);
  expect(new X509Certificate(pair.cert).checkHost('karpenter-conversion.karpenter.svc')).toBeDefined();
  expect(warnings).toEqual([]);
});

test('replicas that look at the same time agree on one certificate', async () => {
  const { replica, client, time } = await anInstallation();
  const [first, second] = [replica(), replica()];
  const looks = await Promise.allSettled([first.look(), second.look()]);
  expect(looks.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  await first.look();
  await second.look();
  expect(second.served.at(-1)).toEqual(first.served.at(-1));
  const version = async () => (await time.finish(client.get(secrets, service)))?.metadata.resourceVersion;
  const before = await version();
  await first.look();
  expect(await version()).toBe(before);
});

test('in five hundred days what is served counts at every look, and is trusted since a day before', async () => {
  const { replica, trusted, pass, time } = await anInstallation();
  const { look, served } = replica();
  await look();
  let known = await trusted();
  let certificates = 0;
  for (let day = 0; day < 500; day += 10) {
    const before = served.at(-1);
    await pass(days(10));
    await look();
    const pair = served.at(-1);
    if (pair === undefined) throw new Error('nothing is served');
    if (pair.cert !== before?.cert) certificates++;
    expect(Date.parse(new X509Certificate(pair.cert).validTo)).toBeGreaterThan(time.clock.now() + days(10));
    // API servers may still have the definitions of the look before.
    expect(known.map((authorities) => isTrusted(pair, authorities))).toEqual([true, true, true]);
    known = await trusted();
  }
  expect(certificates).toBeGreaterThan(6);
  expect(known[0]?.length).toBeLessThanOrEqual(2);
});

test('without rights on the definitions the certificate is served all the same, and the look fails', async () => {
  const { replica, send } = await anInstallation();
  const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
  expect(await send('DELETE', `${bindings}/karpenter-conversion`)).toMatchObject({ status: 200 });
  const { look, served } = replica();
  await expect(look()).rejects.toThrow(/customresourcedefinitions.*forbidden/);
  expect(served).toHaveLength(1);
});

test('after an outage in which everything ended, all is made anew', async () => {
  const { replica, trusted, pass } = await anInstallation();
  const { look, served } = replica();
  await look();
  await pass(days(400));
  await look();
  const pair = served.at(-1);
  expect(pair?.cert).not.toBe(served[0]?.cert);
  expect((await trusted()).map((authorities) => pair !== undefined && isTrusted(pair, authorities))).toEqual([
    true,
    true,
    true,
  ]);
  expect((await trusted())[0]).toHaveLength(1);
});

test('a Secret that somebody damaged is written anew, and told', async () => {
  const { replica, client, time, warnings } = await anInstallation();
  const { look, served } = replica();
  await look();
  const data = { 'tls.crt': Buffer.from('no certificate').toString('base64') };
  await time.finish(client.get(secrets, service)).then((secret) => {
    if (secret === undefined) throw new Error('no Secret');
    return time.finish(client.update(secrets, { ...secret, data: { ...secret.data, ...data } }));
  });
  await look();
  expect(served).toHaveLength(2);
  expect(warnings).toEqual(['the certificates of the conversion webhook cannot be read, new ones take their place']);
});

test('a definition that names no webhook, or another one, is left as it is, and told', async () => {
  const { replica, send, trusted, warnings } = await anInstallation();
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const merge = { 'content-type': 'application/merge-patch+json' };
  const none = { spec: { conversion: { strategy: 'None', webhook: null } } };
  expect(await send('PATCH', `${path}/nodepools.karpenter.sh`, none, merge)).toMatchObject({ status: 200 });
  const other = { spec: { conversion: { webhook: { clientConfig: { service: { name: 'other' } } } } } };
  expect(await send('PATCH', `${path}/nodeclaims.karpenter.sh`, other, merge)).toMatchObject({ status: 200 });
  await replica().look();
  expect(warnings).toEqual(['the conversion webhook is not called', 'the conversion webhook is not called']);
  expect((await trusted()).map(({ length }) => length)).toEqual([1, 0, 0]);
});
