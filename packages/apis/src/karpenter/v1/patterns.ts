/** Patterns of the v1 schemas, in the dialect of RE2. */
export const fieldPatterns = {
  duration: '^([0-9]+(s|m|h))+$',
  durationOrNever: '^(([0-9]+(s|m|h))+|Never)$',
  qualifiedName:
    '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*(\\/))?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$',
  labelValue: '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$',
  conditionType:
    '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
  conditionReason: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
  conditionReasonOrEmpty: '^([A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?|)$',
  budgetNodes: '^((100|[0-9]{1,2})%|[0-9]+)$',
  budgetSchedule: '^(@(annually|yearly|monthly|weekly|daily|midnight|hourly))|((.+)\\s(.+)\\s(.+)\\s(.+)\\s(.+))$',
  budgetDuration: '^((([0-9]+(h|m))|([0-9]+h[0-9]+m))(0s)?)$',
  withoutSlash: '^[^/]*$',
  subnetId: 'subnet-[0-9a-z]+',
  securityGroupId: 'sg-[0-9a-z]+',
  imageId: 'ami-[0-9a-z]+',
  capacityReservationId: '^cr-[0-9a-z]+$',
  placementGroupId: '^pg-[0-9a-z]+$',
  accountId: '^[0-9]{12}$',
  volumeSize:
    '^((?:[1-9][0-9]{0,3}|[1-4][0-9]{4}|[5][0-8][0-9]{3}|59000)Gi|(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|[6][0-3][0-9]{3}|64000)G|([1-9]||[1-5][0-7]|58)Ti|([1-9]||[1-5][0-9]|6[0-3]|64)T)$',
  price: '^\\d+(\\.\\d+)?$',
  priceAdjustment: '^(([+-]{1}(\\d*\\.?\\d+))|(\\+{1}\\d*\\.?\\d+%)|(^(-\\d{1,2}(\\.\\d+)?%)$)|(-100%))$',
  /** Ours: `parseAge` reads it. */
  age: '^(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h|d|w))+)$',
} as const;

/** What a pattern asks for, in words. */
export const patternWords: ReadonlyMap<string, string> = new Map([
  [fieldPatterns.duration, 'a duration such as 30s, 10m or 720h'],
  [fieldPatterns.durationOrNever, 'a duration such as 30s, 10m or 720h, or Never'],
  [fieldPatterns.age, 'an age such as 10d, 2w or 36h'],
  [fieldPatterns.budgetNodes, 'a number of nodes or a percentage, such as "3" or 15%'],
  [fieldPatterns.price, 'a price without a sign, in dollars per hour, such as 0.096'],
  [
    fieldPatterns.priceAdjustment,
    'a signed amount such as -0.01, or a signed percentage of at least -100%, such as +10%',
  ],
  [fieldPatterns.imageId, 'an image id such as ami-0123456789abcdef0'],
  [fieldPatterns.subnetId, 'a subnet id such as subnet-0123456789abcdef0'],
  [fieldPatterns.securityGroupId, 'a security group id such as sg-0123456789abcdef0'],
]);
