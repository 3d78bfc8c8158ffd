/**
 * A comparison of two Poisson rates, owner by owner.
 *
 * Under the hypothesis that members are no worse than peers, and given that an owner had n events on both sides
 * together, each of them happened on a member with probability p = members' exposure / exposure of both sides. The sum
 * over owners of such binomials is compared with the events that members had. The test is exact: no approximation, and
 * no assumption about the rates, which differ from owner to owner.
 *
 * Starts are trials, not Poisson events; the test is conservative for them, because given n the number of failures
 * among members then varies less than the binomial.
 */
export type OwnerStratum = {
  readonly memberEvents: number;
  readonly memberExposure: number;
  readonly peerEvents: number;
  readonly peerExposure: number;
};

/** Beyond so many events the exact distribution is replaced by a bound that is never smaller. */
const mostExactEvents = 2_000;

/**
 * The probability that members have at least as many events as they had, if they are no worse than peers.
 * Owners without exposure or without events on either side tell nothing and are left out.
 * @returns 1 when nothing can be compared
 */
export function tailProbability(strata: readonly OwnerStratum[]): number {
  const telling = strata.flatMap((stratum) => binomialOf(stratum) ?? []);
  const observed = telling.reduce((sum, { successes }) => sum + successes, 0);
  const events = telling.reduce((sum, { trials }) => sum + trials, 0);
  if (observed === 0) return 1;
  const bound = chernoffBound(telling, observed);
  // The bound decides where it is small enough already, or where the exact sum would be long.
  return events > mostExactEvents ? bound : Math.min(bound, exactTail(telling, observed));
}

type Binomial = { readonly trials: number; readonly successes: number; readonly p: number };

/** An owner whose pods ran on one side only cannot be compared: its events say nothing about the image. */
function binomialOf(stratum: OwnerStratum): Binomial | undefined {
  const { memberEvents, memberExposure, peerEvents, peerExposure } = stratum;
  const trials = memberEvents + peerEvents;
  if (trials === 0 || memberExposure <= 0 || peerExposure <= 0) return undefined;
  return { trials, successes: memberEvents, p: memberExposure / (memberExposure + peerExposure) };
}

/** The distribution of the sum, one event after the other; successes at and above `observed` share one place. */
function exactTail(binomials: readonly Binomial[], observed: number): number {
  const probabilities = new Float64Array(observed + 1);
  probabilities[0] = 1;
  for (const { trials, p } of binomials) {
    for (let trial = 0; trial < trials; trial += 1) {
      probabilities[observed] = at(probabilities, observed) + at(probabilities, observed - 1) * p;
      for (let count = observed - 1; count > 0; count -= 1) {
        probabilities[count] = at(probabilities, count) * (1 - p) + at(probabilities, count - 1) * p;
      }
      probabilities[0] = at(probabilities, 0) * (1 - p);
    }
  }
  return Math.min(1, at(probabilities, observed));
}

const at = (values: Float64Array, index: number): number => values[index] ?? 0;

/** P(sum >= observed) <= exp(-θ·observed) · Π(1 + p(e^θ - 1))^n for every θ >= 0; the smallest is looked for. */
function chernoffBound(binomials: readonly Binomial[], observed: number): number {
  const logBound = (theta: number): number =>
    binomials.reduce((sum, { trials, p }) => sum + trials * Math.log1p(p * Math.expm1(theta)), -theta * observed);
  let [low, high] = [0, 50];
  for (let step = 0; step < 100; step += 1) {
    const [left, right] = [low + (high - low) / 3, high - (high - low) / 3];
    if (logBound(left) < logBound(right)) high = right;
    else low = left;
  }
  return Math.min(1, Math.exp(logBound((low + high) / 2)));
}
