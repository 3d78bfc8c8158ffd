import {
  badPlaces,
  containerNames,
  violationFrom,
  placesText,
  quotedNames,
  type SecuredContainer,
  securedContainers,
  type SecuredSpec,
  type SecurityCheck,
  type SeLinuxOptions,
} from './secured-pod.ts';

const unconfined = 'Unconfined';

const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';

const defaultCapabilities: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

const safeSysctls: ReadonlySet<string> = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ping_group_range',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.tcp_wmem',
]);

const seLinuxTypes: ReadonlySet<string> = new Set([
  '',
  'container_t',
  'container_init_t',
  'container_kvm_t',
  'container_engine_t',
]);

const containersThat = (spec: SecuredSpec, isBad: (container: SecuredContainer) => boolean): readonly string[] =>
  securedContainers(spec)
    .filter(isBad)
    .map(({ name }) => name);

const sortedOnce = (values: Iterable<string>): readonly string[] => [...new Set(values)].toSorted();

/** Every rule of the level `baseline`, by id. */
export const baselineChecks: readonly SecurityCheck[] = [
  {
    id: 'appArmorProfile',
    find: (spec, { metadata }) => {
      const bad = badPlaces(spec, (context) => context?.appArmorProfile?.type === unconfined);
      const annotated = Object.entries(metadata?.annotations ?? {})
        .filter(([key, value]) => key.startsWith(appArmorPrefix) && !/^(runtime\/default|localhost\/.*)?$/.test(value))
        .map(([key, value]) => `${key}="${value}"`);
      const places = placesText(bad);
      const details = [
        places !== '' && `${places} must not set AppArmor profile type to "${unconfined}"`,
        ...annotated,
      ];
      const count = (bad.pod ? 1 : 0) + bad.containers.length + annotated.length;
      return violationFrom(`forbidden AppArmor profile${count === 1 ? '' : 's'}`, details);
    },
  },
  {
    id: 'capabilities',
    find: (spec) => {
      const added = (container: SecuredContainer): readonly string[] =>
        (container.securityContext?.capabilities?.add ?? []).filter((name) => !defaultCapabilities.has(name));
      const bad = containersThat(spec, (container) => added(container).length > 0);
      const names = sortedOnce(securedContainers(spec).flatMap(added));
      return violationFrom('non-default capabilities', [
        bad.length > 0 &&
          `${containerNames(bad)} must not include ${quotedNames(names)} in securityContext.capabilities.add`,
      ]);
    },
  },
  {
    id: 'hostNamespaces',
    find: ({ hostNetwork, hostPID, hostIPC }) => {
      const used = { hostNetwork, hostPID, hostIPC };
      const detail = Object.entries(used).flatMap(([name, is]) => (is === true ? [`${name}=true`] : []));
      return violationFrom('host namespaces', [detail.join(', ')]);
    },
  },
  {
    id: 'hostPathVolumes',
    find: ({ volumes }) => {
      const bad = (volumes ?? []).filter((volume) => 'hostPath' in volume).map(({ name }) => name);
      return violationFrom('hostPath volumes', [
        bad.length > 0 && `volume${bad.length === 1 ? '' : 's'} ${quotedNames(bad)}`,
      ]);
    },
  },
  {
    id: 'hostPorts',
    find: (spec) => {
      const portsOf = ({ ports }: SecuredContainer) => (ports ?? []).flatMap(({ hostPort = 0 }) => hostPort || []);
      const bad = containersThat(spec, (container) => portsOf(container).length > 0);
      const ports = sortedOnce(securedContainers(spec).flatMap(portsOf).map(String));
      const verb = bad.length === 1 ? 'uses' : 'use';
      return violationFrom('hostPort', [
        bad.length > 0 && `${containerNames(bad)} ${verb} hostPort${ports.length === 1 ? '' : 's'} ${ports.join(', ')}`,
      ]);
    },
  },
  {
    id: 'privileged',
    find: (spec) => {
      const bad = containersThat(spec, ({ securityContext }) => securityContext?.privileged === true);
      return violationFrom('privileged', [
        bad.length > 0 && `${containerNames(bad)} must not set securityContext.privileged=true`,
      ]);
    },
  },
  {
    id: 'procMount',
    find: (spec) => {
      const mountOf = ({ securityContext }: SecuredContainer) => securityContext?.procMount ?? 'Default';
      const bad = containersThat(spec, (container) => mountOf(container) !== 'Default');
      const mounts = sortedOnce(securedContainers(spec).map(mountOf)).filter((mount) => mount !== 'Default');
      return violationFrom('procMount', [
        bad.length > 0 && `${containerNames(bad)} must not set securityContext.procMount to ${quotedNames(mounts)}`,
      ]);
    },
  },
  {
    id: 'seLinuxOptions',
    find: (spec) => {
      const isBad = ({ type = '', user = '', role = '' }: SeLinuxOptions): boolean =>
        !seLinuxTypes.has(type) || user !== '' || role !== '';
      const bad = badPlaces(spec, (context) => isBad(context?.seLinuxOptions ?? {}));
      const options = [spec.securityContext, ...securedContainers(spec).map(({ securityContext }) => securityContext)];
      const given = options.map((context) => context?.seLinuxOptions ?? {});
      const types = sortedOnce(given.map(({ type = '' }) => type).filter((type) => !seLinuxTypes.has(type)));
      const places = placesText(bad);
      return violationFrom('seLinuxOptions', [
        places !== '' && `${places} set forbidden securityContext.seLinuxOptions: ${seLinuxText(types, given)}`,
      ]);
    },
  },
  {
    id: 'seccompProfile',
    find: (spec) => {
      const places = placesText(badPlaces(spec, (context) => context?.seccompProfile?.type === unconfined));
      return violationFrom('seccompProfile', [
        places !== '' && `${places} must not set securityContext.seccompProfile.type to "${unconfined}"`,
      ]);
    },
  },
  {
    id: 'sysctls',
    find: ({ securityContext }) => {
      const bad = (securityContext?.sysctls ?? []).map(({ name }) => name).filter((name) => !safeSysctls.has(name));
      return violationFrom('forbidden sysctls', [bad.join(', ')]);
    },
  },
  {
    id: 'windowsHostProcess',
    find: (spec) => {
      const places = placesText(badPlaces(spec, (context) => context?.windowsOptions?.hostProcess === true));
      return violationFrom('hostProcess', [
        places !== '' && `${places} must not set securityContext.windowsOptions.hostProcess=true`,
      ]);
    },
  },
];

const seLinuxText = (types: readonly string[], given: readonly SeLinuxOptions[]): string =>
  [
    ...(types.length === 0 ? [] : [`type${types.length === 1 ? '' : 's'} ${quotedNames(types)}`]),
    ...(given.some(({ user = '' }) => user !== '') ? ['user may not be set'] : []),
    ...(given.some(({ role = '' }) => role !== '') ? ['role may not be set'] : []),
  ].join('; ');
