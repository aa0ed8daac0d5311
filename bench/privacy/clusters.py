#!/usr/bin/env python3
"""What differential privacy costs federated-kmeans: the agreement of clusters with labels, by epsilon.

    bench/privacy/clusters.py build/choir                          the figures of choir/learn/federated_kmeans/README.md
    bench/privacy/clusters.py build/choir --mnist FOLDER           with all 60,000 images, as `choir data get mnist` fetches them

Data: the 2,000 digits of datasets/, and 20,000 points in 10 clouds of 10 features. Every figure is a mean over seeds of
features, seeds of centres and noise: mutual information / adjusted Rand index. "none" is the same run with noise too small to
matter; "usual" the method without --privacy (nystroem, restarts, swaps).
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / 'bench' / 'quality'))
from idx import read_idx  # noqa: E402

EPSILONS = {'1': 1, '2': 2, '4': 4, '10': 10, 'none': 1e8, 'usual': None}


def digits():
    data = np.load(ROOT / 'datasets' / 'digits.npz')
    return data['images'] / 255, data['labels'], 0.02


def clouds():
    points, labels = make_blobs(20_000, 10, centers=10, center_box=(-3, 3), random_state=1)
    return points, labels, 0.03


def mnist(folder):
    images = sorted(folder.rglob('train-images-idx3-ubyte'))[0]
    labels = sorted(folder.rglob('train-labels-idx1-ubyte'))[0]
    return read_idx(images).reshape(-1, 784) / 255, read_idx(labels), 0.02


def found_clusters(program, folder, gamma, devices, epsilon, seed):
    command = [program, 'fit', 'federated-kmeans', '--data', folder / 'x.npy', '--nodes', devices, '--gamma', gamma,
               '--n-clusters', 10, '--random-state', seed, '--out', folder / 'run', '--force']
    if epsilon:
        command += ['--privacy', epsilon]
    run = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if run.returncode not in (0, 3):  # 3: weak, which is what this is about
        raise SystemExit(run.stderr)
    models = sorted((folder / 'run').rglob('*.npz'))
    model = next(path for path in models if path.name.startswith('model'))
    subprocess.run([str(word) for word in (program, 'predict', '--model', model, '--data', folder / 'x.npy', '--force', '--out',
                                           folder / 'labels.npy')], capture_output=True, check=True)
    return np.load(folder / 'labels.npy').ravel()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('program')
    parser.add_argument('--mnist', type=pathlib.Path)
    parser.add_argument('--repeats', type=int, default=5)
    parser.add_argument('--devices', type=int, nargs='+', default=[10, 20])
    arguments = parser.parse_args()
    tables = {'digits': digits(), 'clouds': clouds()}
    if arguments.mnist:
        tables['mnist'] = mnist(arguments.mnist)
    print('| data | devices | ' + ' | '.join(EPSILONS) + ' |\n|' + '---|' * (2 + len(EPSILONS)))
    for name, (points, labels, gamma) in tables.items():
        with tempfile.TemporaryDirectory() as words:
            folder = pathlib.Path(words)
            np.save(folder / 'x.npy', points)
            for devices in arguments.devices:
                cells = []
                for epsilon in EPSILONS.values():
                    found = [found_clusters(arguments.program, folder, gamma, devices, epsilon, seed)
                             for seed in range(arguments.repeats)]
                    nmi = np.mean([normalized_mutual_info_score(labels, each) for each in found])
                    ari = np.mean([adjusted_rand_score(labels, each) for each in found])
                    cells.append(f'{nmi:.2f} / {ari:.2f}')
                print(f'| {name} | {devices} | ' + ' | '.join(cells) + ' |', flush=True)


if __name__ == '__main__':
    main()
