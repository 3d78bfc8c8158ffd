/** The parts of a pod that the Pod Security Standards speak of. */
export type SecuredPod = {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> | undefined };
  readonly spec?: SecuredSpec;
};

export type SecuredSpec = {
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly os?: { readonly name?: string };
  readonly securityContext?: PodSecurityContext | null;
  readonly volumes?: readonly SecuredVolume[] | null;
  readonly initContainers?: readonly SecuredContainer[] | null;
  readonly containers?: readonly SecuredContainer[] | null;
  readonly ephemeralContainers?: readonly SecuredContainer[] | null;
};

/** `{ name: 'v', hostPath: { … } }`: the other member tells the type. */
export type SecuredVolume = { readonly name: string } & Readonly<Record<string, unknown>>;

export type SecurityProfile = { readonly type?: string };

export type SeLinuxOptions = { readonly type?: string; readonly user?: string; readonly role?: string };

type SharedContext = {
  readonly runAsNonRoot?: boolean;
  readonly runAsUser?: number;
  readonly seccompProfile?: SecurityProfile;
  readonly appArmorProfile?: SecurityProfile;
  readonly seLinuxOptions?: SeLinuxOptions;
  readonly windowsOptions?: { readonly hostProcess?: boolean };
};

export type PodSecurityContext = SharedContext & { readonly sysctls?: readonly { readonly name: string }[] | null };

export type ContainerSecurityContext = SharedContext & {
  readonly privileged?: boolean;
  readonly allowPrivilegeEscalation?: boolean;
  readonly procMount?: string;
  readonly capabilities?: { readonly add?: readonly string[] | null; readonly drop?: readonly string[] | null };
};

export type SecuredContainer = {
  readonly name: string;
  readonly ports?: readonly { readonly hostPort?: number }[] | null;
  readonly securityContext?: ContainerSecurityContext | null;
};

/** Every container, whatever its kind. */
export const securedContainers = ({ initContainers, containers, ephemeralContainers }: SecuredSpec) => [
  ...(initContainers ?? []),
  ...(containers ?? []),
  ...(ephemeralContainers ?? []),
];

/** What stands against a pod: `privileged`, and where. */
export type SecurityViolation = { readonly reason: string; readonly detail: string };

/** A rule of the Pod Security Standards. */
export type SecurityCheck = {
  readonly id: string;
  /** The rule of the lower level that it stands in for. */
  readonly replaces?: string;
  readonly find: (spec: SecuredSpec, pod: SecuredPod) => SecurityViolation | undefined;
};

export const quotedNames = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** `container "a"`, `containers "a", "b"`. */
export const containerNames = (names: readonly string[]): string =>
  `container${names.length === 1 ? '' : 's'} ${quotedNames(names)}`;

/** A violation with these details, if any of them says something. */
export function violationFrom(reason: string, details: readonly (string | false)[]): SecurityViolation | undefined {
  const said = details.filter((detail) => detail !== false && detail !== '');
  return said.length === 0 ? undefined : { reason, detail: said.join('; ') };
}

/** The pod and the containers whose security context is bad, as `pod or container "a"` has them. */
export function badPlaces(
  spec: SecuredSpec,
  isBad: (context: SharedContext | null | undefined) => boolean,
): { readonly pod: boolean; readonly containers: readonly string[] } {
  const containers = securedContainers(spec).filter(({ securityContext }) => isBad(securityContext));
  return { pod: isBad(spec.securityContext), containers: containers.map(({ name }) => name) };
}

/** `pod`, `container "a"`, `pod and containers "a", "b"`. */
export const placesText = ({ pod, containers }: ReturnType<typeof badPlaces>): string =>
  [...(pod ? ['pod'] : []), ...(containers.length > 0 ? [containerNames(containers)] : [])].join(' and ');
