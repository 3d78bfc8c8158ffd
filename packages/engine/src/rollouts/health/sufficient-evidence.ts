/** An image that breaks so many starts has to be found. */
const brokenShare = 0.05;
/** With this probability. */
const wantedPower = 0.99;
/** Fewer starts than these never suffice, whatever the peers have. */
const leastStarts = 200;
const mostStarts = 5_000;

/**
 * How many starts members need so that an image which breaks 5 % of them is found with 99 %, when no start fails on
 * peers.
 *
 * With clean peers, c failed starts on members are significant when (m / (m + peers))^c is within the allowed error, and
 * at least c of m starts fail with the probability of a binomial tail.
 * @param peers starts of peers that members are compared with
 * @returns undefined when no number of starts is enough: there are too few peers
 */
export function sufficientStarts(peers: number, allowedError: number): number | undefined {
  for (let starts = leastStarts; starts <= mostStarts; starts = Math.ceil(starts * 1.1)) {
    const needed = failuresNeeded(starts, peers, allowedError);
    if (needed !== undefined && needed <= starts && powerOf(starts, needed) >= wantedPower) return starts;
  }
  return undefined;
}

function failuresNeeded(starts: number, peers: number, allowedError: number): number | undefined {
  if (peers <= 0) return undefined;
  return Math.ceil(Math.log(allowedError) / Math.log(starts / (starts + peers)));
}

/** P(Binomial(starts, 5 %) >= needed). */
function powerOf(starts: number, needed: number): number {
  let term = (1 - brokenShare) ** starts;
  let below = 0;
  for (let count = 0; count < needed; count += 1) {
    below += term;
    term *= ((starts - count) / (count + 1)) * (brokenShare / (1 - brokenShare));
  }
  return 1 - below;
}
