// Viridis: dark is low and light is high, also in grey and for people who confuse colours.
const stops = ['#440154', '#472f7d', '#39568c', '#2a788e', '#1f988b', '#35b779', '#7ad151', '#bddf26', '#fde725'];

const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
const ramp = stops.map(channels);

// share: 0 to 1
export function colourAt(share) {
  const place = Math.min(Math.max(share, 0), 1) * (ramp.length - 1);
  const below = Math.min(Math.floor(place), ramp.length - 2);
  const mixed = ramp[below].map((low, channel) => Math.round(low + (place - below) * (ramp[below + 1][channel] - low)));
  return `rgb(${mixed.join(',')})`;
}

export const gradient = `linear-gradient(to right, ${stops.join(', ')})`;

// Where a value lies between the smallest and the largest of all; on a logarithmic scale if asked for, where what is
// very small is shown like what is small.
const widest = 1e6;

export class Scale {
  constructor(values, logarithmic) {
    this.low = values.reduce((a, b) => Math.min(a, b), Infinity);
    this.high = values.reduce((a, b) => Math.max(a, b), -Infinity);
    this.logarithmic = logarithmic && this.high > 0;
    this.cut = this.logarithmic && this.low < this.high / widest;
    if (this.cut) this.low = this.high / widest;
  }
  share(value) {
    if (this.high <= this.low) return 0.5;
    if (this.logarithmic && value <= this.low) return 0;
    const of = this.logarithmic ? Math.log : (x) => x;
    return (of(value) - of(this.low)) / (of(this.high) - of(this.low));
  }
}
