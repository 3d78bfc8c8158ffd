import {
  badPlaces,
  containerNames,
  violationFrom,
  quotedNames,
  type SecuredContainer,
  securedContainers,
  type SecuredSpec,
  type SecurityCheck,
} from './secured-pod.ts';

/** Types of volumes that every pod may use. */
const openVolumeTypes: ReadonlySet<string> = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);

const isWindowsPod = ({ os }: SecuredSpec): boolean => os?.name === 'windows';

const securedNames = (containers: readonly SecuredContainer[]): readonly string[] => containers.map(({ name }) => name);

/** Every rule that the level `restricted` adds, by id. */
export const restrictedChecks: readonly SecurityCheck[] = [
  {
    id: 'allowPrivilegeEscalation',
    find: (spec) => {
      const bad = isWindowsPod(spec)
        ? []
        : securedContainers(spec).filter(({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
      return violationFrom('allowPrivilegeEscalation != false', [
        bad.length > 0 &&
          `${containerNames(securedNames(bad))} must set securityContext.allowPrivilegeEscalation=false`,
      ]);
    },
  },
  {
    id: 'capabilities',
    replaces: 'capabilities',
    find: (spec) => {
      const containers = isWindowsPod(spec) ? [] : securedContainers(spec);
      const capabilitiesOf = ({ securityContext }: SecuredContainer) => securityContext?.capabilities ?? {};
      const added = (container: SecuredContainer): readonly string[] =>
        (capabilitiesOf(container).add ?? []).filter((name) => name !== 'NET_BIND_SERVICE');
      const keeping = containers.filter((container) => capabilitiesOf(container).drop?.includes('ALL') !== true);
      const adding = containers.filter((container) => added(container).length > 0);
      const names = [...new Set(adding.flatMap(added))].toSorted();
      return violationFrom('unrestricted capabilities', [
        keeping.length > 0 &&
          `${containerNames(securedNames(keeping))} must set securityContext.capabilities.drop=["ALL"]`,
        adding.length > 0 &&
          `${containerNames(securedNames(adding))} must not include ${quotedNames(names)} in securityContext.capabilities.add`,
      ]);
    },
  },
  {
    id: 'restrictedVolumes',
    replaces: 'hostPathVolumes',
    find: ({ volumes }) => {
      const typesOf = (volume: object): readonly string[] => Object.keys(volume).filter((key) => key !== 'name');
      const bad = (volumes ?? []).filter((volume) => !typesOf(volume).some((type) => openVolumeTypes.has(type)));
      const types = [...new Set(bad.flatMap(typesOf))].toSorted();
      const [plural, verb] = bad.length === 1 ? ['', 'uses'] : ['s', 'use'];
      return violationFrom('restricted volume types', [
        bad.length > 0 &&
          `volume${plural} ${quotedNames(bad.map(({ name }) => name))} ${verb} restricted volume type${types.length === 1 ? '' : 's'} ${quotedNames(types)}`,
      ]);
    },
  },
  {
    id: 'runAsNonRoot',
    find: (spec) => {
      const explicit = badPlaces(spec, (context) => context?.runAsNonRoot === false);
      const isSetByPod = spec.securityContext?.runAsNonRoot === true;
      const silent = securedContainers(spec).filter(
        ({ securityContext }) => securityContext?.runAsNonRoot === undefined && !isSetByPod,
      );
      return violationFrom('runAsNonRoot != true', [
        explicit.pod && 'pod must not set securityContext.runAsNonRoot=false',
        explicit.containers.length > 0 &&
          `${containerNames(explicit.containers)} must not set securityContext.runAsNonRoot=false`,
        !explicit.pod &&
          explicit.containers.length === 0 &&
          silent.length > 0 &&
          `pod or ${containerNames(securedNames(silent))} must set securityContext.runAsNonRoot=true`,
      ]);
    },
  },
  {
    id: 'runAsUser',
    find: (spec) => {
      const { pod, containers } = badPlaces(spec, (context) => context?.runAsUser === 0);
      return violationFrom('runAsUser=0', [
        pod && 'pod must not set runAsUser=0',
        containers.length > 0 && `${containerNames(containers)} must not set runAsUser=0`,
      ]);
    },
  },
  {
    id: 'seccompProfile',
    replaces: 'seccompProfile',
    find: (spec) => {
      if (isWindowsPod(spec)) return undefined;
      const isGood = (type: string | undefined): boolean => type === 'RuntimeDefault' || type === 'Localhost';
      const podType = spec.securityContext?.seccompProfile?.type;
      const typeOf = ({ securityContext }: SecuredContainer) => securityContext?.seccompProfile?.type;
      const explicit = securedContainers(spec).filter((each) => typeOf(each) !== undefined && !isGood(typeOf(each)));
      const silent = securedContainers(spec).filter((each) => typeOf(each) === undefined && podType === undefined);
      const isPodBad = podType !== undefined && !isGood(podType);
      const wanted = 'securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"';
      return violationFrom('seccompProfile', [
        isPodBad && `pod must not set securityContext.seccompProfile.type to "${podType}"`,
        explicit.length > 0 &&
          `${containerNames(securedNames(explicit))} must not set securityContext.seccompProfile.type to ${quotedNames([...new Set(explicit.map((each) => typeOf(each) ?? ''))].toSorted())}`,
        silent.length > 0 && `pod or ${containerNames(securedNames(silent))} must set ${wanted}`,
      ]);
    },
  },
];
