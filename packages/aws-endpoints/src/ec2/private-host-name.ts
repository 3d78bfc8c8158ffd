type NamedHost = {
  /** The instance. */
  readonly id: string;
  readonly privateIp: string;
  readonly region: string;
  readonly hostnameType: string | undefined;
};

/** `ip-192-168-40-30.ec2.internal`, or `i-0123456789abcdef0.ec2.internal`; outside us-east-1 the region is in the name. */
export function namePrivateHost({ id, privateIp, region, hostnameType }: NamedHost): string {
  const host = hostnameType === 'resource-name' ? id : `ip-${privateIp.replaceAll('.', '-')}`;
  return `${host}.${region === 'us-east-1' ? 'ec2.internal' : `${region}.compute.internal`}`;
}
