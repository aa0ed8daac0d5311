// Where nodes are drawn. The same network is always drawn the same.

const circle = (number) =>
  Array.from({length: number}, (_, place) => {
    const angle = (2 * Math.PI * place) / number - Math.PI / 2;
    return [Math.cos(angle), Math.sin(angle)];
  });

// [[x, y], ...] within the unit circle
export function positions(number, links) {
  const degrees = new Array(number).fill(0);
  for (const {from, to} of links) {
    ++degrees[from];
    ++degrees[to];
  }
  const hub = degrees.indexOf(Math.max(...degrees));
  if (number > 3 && degrees.every((degree, node) => degree === (node === hub ? number - 1 : 1)))
    return star(number, hub);
  if (degrees.every((degree) => degree === degrees[0]) || nearRing(number, links)) return circle(number);
  return springs(number, links);
}

function star(number, hub) {
  const around = circle(number - 1);
  return Array.from({length: number}, (_, node) => (node === hub ? [0, 0] : around[node < hub ? node : node - 1]));
}

// Nearly all links are short ways along the ring of numbers.
function nearRing(number, links) {
  const short = links.filter(({from, to}) => {
    const way = Math.abs(from - to);
    return Math.min(way, number - way) <= Math.max(2, number / 12);
  });
  return short.length >= 0.9 * links.length;
}

// Fruchterman and Reingold: nodes push each other away, links pull together, ever less.
function springs(number, links) {
  const at = circle(number).map(([x, y], node) => [x + 0.05 * Math.sin(7 * node), y + 0.05 * Math.cos(5 * node)]);
  const length = Math.sqrt(3 / number);
  const rounds = 250;
  for (let round = 0; round < rounds; ++round) {
    const step = 0.15 * (1 - round / rounds);
    const forces = forcesOn(at, links, length);
    for (const [node, [x, y]] of forces.entries()) {
      const size = Math.hypot(x, y) || 1;
      at[node][0] += (x / size) * Math.min(size, step);
      at[node][1] += (y / size) * Math.min(size, step);
    }
  }
  return fitted(at);
}

function forcesOn(at, links, length) {
  const forces = at.map(([x, y]) => [-0.05 * x, -0.05 * y]);
  const push = (one, other, amount) => {
    const [dx, dy] = [at[one][0] - at[other][0], at[one][1] - at[other][1]];
    const distance = Math.max(Math.hypot(dx, dy), 1e-3);
    const strength = amount(distance) / distance;
    forces[one][0] += strength * dx;
    forces[one][1] += strength * dy;
    forces[other][0] -= strength * dx;
    forces[other][1] -= strength * dy;
  };
  for (let one = 0; one < at.length; ++one) {
    for (let other = 0; other < one; ++other) push(one, other, (distance) => (0.3 * length * length) / distance);
  }
  for (const {from, to} of links) push(from, to, (distance) => (-0.3 * distance * distance) / length);
  return forces;
}

function fitted(at) {
  const centre = [0, 1].map((axis) => at.reduce((sum, point) => sum + point[axis], 0) / at.length);
  const radius = Math.max(...at.map(([x, y]) => Math.hypot(x - centre[0], y - centre[1]))) || 1;
  return at.map(([x, y]) => [(x - centre[0]) / radius, (y - centre[1]) / radius]);
}
