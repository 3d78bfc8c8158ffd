import { expect, test } from 'vitest';
import { badSecurityLabels, findViolations, securityPolicyOf, type SecurityLevel } from './levels.ts';
import type { SecuredContainer, SecuredSpec } from './secured-pod.ts';

const good: SecuredContainer = {
  name: 'c',
  securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
};
const goodSpec: SecuredSpec = {
  securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  containers: [good],
};
const withContext = (securityContext: SecuredContainer['securityContext'], name = 'c'): SecuredSpec => ({
  ...goodSpec,
  containers: [{ ...good, name, securityContext: { ...good.securityContext, ...securityContext } }],
});

const told = (level: SecurityLevel, spec: SecuredSpec): readonly string[] =>
  findViolations(level, { spec }).map(({ reason, detail }) => `${reason} (${detail})`);

for (const [violation, spec] of [
  ['host namespaces (hostNetwork=true, hostPID=true)', { ...goodSpec, hostNetwork: true, hostPID: true }],
  ['hostPort (container "c" uses hostPort 80)', { ...goodSpec, containers: [{ ...good, ports: [{ hostPort: 80 }] }] }],
  ['privileged (container "c" must not set securityContext.privileged=true)', withContext({ privileged: true })],
  [
    'procMount (container "c" must not set securityContext.procMount to "Unmasked")',
    withContext({ procMount: 'Unmasked' }),
  ],
  [
    'seLinuxOptions (container "c" set forbidden securityContext.seLinuxOptions: type "spc_t"; user may not be set)',
    withContext({ seLinuxOptions: { type: 'spc_t', user: 'u' } }),
  ],
  [
    'forbidden sysctls (kernel.msgmax)',
    { ...goodSpec, securityContext: { ...goodSpec.securityContext, sysctls: [{ name: 'kernel.msgmax' }] } },
  ],
  [
    'hostProcess (container "c" must not set securityContext.windowsOptions.hostProcess=true)',
    withContext({ windowsOptions: { hostProcess: true } }),
  ],
  [
    'forbidden AppArmor profile (container "c" must not set AppArmor profile type to "Unconfined")',
    withContext({ appArmorProfile: { type: 'Unconfined' } }),
  ],
] as const) {
  test(`baseline and restricted refuse ${violation}`, () => {
    expect([told('privileged', spec), told('baseline', spec), told('restricted', spec)]).toEqual([
      [],
      [violation],
      [violation],
    ]);
  });
}

for (const [fact, spec, baseline, restricted] of [
  [
    'capabilities',
    withContext({ capabilities: { drop: ['ALL'], add: ['NET_ADMIN'] } }),
    'non-default capabilities (container "c" must not include "NET_ADMIN" in securityContext.capabilities.add)',
    'unrestricted capabilities (container "c" must not include "NET_ADMIN" in securityContext.capabilities.add)',
  ],
  [
    'volumes of the host',
    { ...goodSpec, volumes: [{ name: 'v', hostPath: {} }] },
    'hostPath volumes (volume "v")',
    'restricted volume types (volume "v" uses restricted volume type "hostPath")',
  ],
  [
    'seccomp profiles',
    withContext({ seccompProfile: { type: 'Unconfined' } }),
    'seccompProfile (container "c" must not set securityContext.seccompProfile.type to "Unconfined")',
    'seccompProfile (container "c" must not set securityContext.seccompProfile.type to "Unconfined")',
  ],
] as const) {
  test(`restricted is stricter than baseline about ${fact}, and tells it once`, () => {
    expect([told('baseline', spec), told('restricted', spec)]).toEqual([[baseline], [restricted]]);
  });
}

test('a pod that says nothing is fine for baseline, and four rules of restricted refuse it', () => {
  const spec = { containers: [{ name: 'a' }], initContainers: [{ name: 'b' }], volumes: [{ name: 'v', emptyDir: {} }] };
  expect(told('baseline', spec)).toEqual([]);
  expect(told('restricted', spec)).toEqual([
    'allowPrivilegeEscalation != false (containers "b", "a" must set securityContext.allowPrivilegeEscalation=false)',
    'unrestricted capabilities (containers "b", "a" must set securityContext.capabilities.drop=["ALL"])',
    'runAsNonRoot != true (pod or containers "b", "a" must set securityContext.runAsNonRoot=true)',
    'seccompProfile (pod or containers "b", "a" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
  ]);
  expect(told('restricted', goodSpec)).toEqual([]);
  expect(told('restricted', { ...spec, os: { name: 'windows' } })).toHaveLength(1);
});

test('labels tell level and version, and one that cannot be read asks for the most', () => {
  const key = 'pod-security.kubernetes.io/enforce';
  expect(securityPolicyOf(undefined, 'enforce')).toEqual({ level: 'privileged', version: 'latest' });
  expect(securityPolicyOf({ [key]: 'baseline', [`${key}-version`]: 'v1.28' }, 'enforce')).toEqual({
    level: 'baseline',
    version: 'v1.28',
  });
  expect(securityPolicyOf({ [key]: 'tight' }, 'enforce').level).toBe('restricted');
  expect(badSecurityLabels({ [key]: 'tight', [`${key}-version`]: '1.28' })).toHaveLength(2);
});
