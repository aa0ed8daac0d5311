"""What choir wrote into its model files, read with numpy (docs/models.md)."""
import json
import zipfile

import numpy as np

from truth import Answer, Kernel, kernel_matrix


def manifest_of(path):
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read("manifest.json"))


def overlap_of(arrays, use, kernel):
    """w'w of the directions w = sum_n C_nd phi(p_n)."""
    points, coefficients = arrays[f"{use}/points"], arrays[f"{use}/coefficients"]
    if kernel.kind == "linear":  # through w itself: no digits are lost to a large mean
        directions = points.T @ coefficients
        return directions.T @ directions
    return coefficients.T @ kernel_matrix(points, points, kernel) @ coefficients


def answer_of_model(path, scores):
    """The default answer of a model, whose scores of the pooled samples are N x D."""
    manifest, arrays = manifest_of(path), np.load(path)
    use = manifest["use"]
    about = manifest["answers"][use]
    if about["kind"] == "kernel":
        words = about["kernel"]
        kernel = Kernel(words["kind"], words["gamma"], words["degree"], words["coef0"])
        return Answer(scores, overlap_of(arrays, use, kernel))
    if about["kind"] == "linear":
        directions = arrays[f"{use}/components"]
        return Answer(scores, directions @ directions.T)
    if about["kind"] == "features":  # random ones: lengths there are not lengths in the kernel's features
        return Answer(scores)
    raise ValueError(f"{path} has an answer of kind {about['kind']}, which the benchmark does not know")


def answer_of_part(path, central):
    """The answer of a party that has some features of all samples: coefficients over the samples, in their order."""
    manifest, arrays = manifest_of(path), np.load(path)
    coefficients = arrays[f"{manifest['use']}/coefficients"]
    scores = central.times(coefficients)
    return Answer(scores, coefficients.T @ scores)
